package io.confab.feed;

/// An event with its binary form, which is made and sealed once for all who keep or carry it.
///
/// @param bytes as [PublicationCodec] writes them; nobody may change them
public record SealedEvent(Event event, byte[] bytes) {}

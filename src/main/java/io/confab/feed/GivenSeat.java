package io.confab.feed;

/// A seat in a room with a capacity that an account was given, so that who knows that it waited can
/// tell it without a look.
///
/// @param inside how many had one then
/// @param capacity of the room
/// @param began the rev with which that did
/// @param version that of the room's seats: given before or after what else is known of them
public record GivenSeat(long inside, long capacity, long began, long version) {}

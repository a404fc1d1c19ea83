/// A device of sealed rooms at a server: keeps its keys there, knows who reads, sends what its
/// person says and opens what its queue brings.
///
/// [io.confab.client] speaks to servers and knows no encryption, [io.confab.client.sealed] encrypts
/// and knows no network; this package does what takes both. All of it runs on one event loop, but
/// what [io.confab.client.sealedroom.DeviceThread] is asked; whatever comes from elsewhere is
/// brought to that loop first. [io.confab.client.sealedroom.SealedRooms] is its door.
@NullMarked
package io.confab.client.sealedroom;

import org.jspecify.annotations.NullMarked;

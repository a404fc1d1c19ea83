/// What a device of sealed rooms knows and does, in the suite `olm1`: Olm carries keys from device
/// to device, Megolm content to all devices of a room.
///
/// Plain code without network and clock: what was asked of the server and what came from its queue
/// is given to it. Nothing that came is believed. [io.confab.client.sealed.ForeignKeys] lets keys
/// in, [io.confab.client.sealed.Pins] says whose devices are believed,
/// [io.confab.client.sealed.SealedDevice] seals and opens, and all that changes thereby goes into
/// [io.confab.client.sealed.SealedStore] in one transaction.
///
/// Uses the ids of the protocol, Jackson, and vodozemac through its Kotlin binding, which no other
/// package may use.
@NullMarked
package io.confab.client.sealed;

import org.jspecify.annotations.NullMarked;

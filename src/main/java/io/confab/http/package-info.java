/// The JSON HTTP API.
///
/// A request of the API goes through [io.confab.http.Routes]: query, caller and limits
/// (`Admissions`), body, endpoint. An
/// endpoint (`AccountRoutes`, `RoomRoutes`, `MessageRoutes`) reads fields, asks the bus and makes
/// an `Answer`; `AnswerWriter` is the one place that writes answers, `Failures` the one place that
/// turns failures into answers. No business rules here: text and types are read, everything else is
/// decided behind the bus.
///
/// Choices of this API where `protocol.md` is silent: calls without fields take no body or `{}`,
/// bodies of `GET` are not looked at; `OPTIONS` answers 204 with `allow`, `HEAD` what `GET` would
/// without its content; a malformed id in a path is `not_found`, in `after` `invalid_field`, in
/// `ids` left out like any unknown id.
@NullMarked
package io.confab.http;

import org.jspecify.annotations.NullMarked;

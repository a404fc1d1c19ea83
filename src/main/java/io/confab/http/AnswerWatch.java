package io.confab.http;

import io.confab.logging.AccessLog;
import io.confab.security.SecurityLog;
import java.util.Optional;

/// Who hears what became of the calls of the API.
///
/// @param answered hears of every answer
/// @param access where every request has a line
public record AnswerWatch(Answered answered, SecurityLog security, Optional<AccessLog> access) {}

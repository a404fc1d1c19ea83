package io.confab.http;

import io.confab.security.SecurityLog;

/// Who hears what became of the calls of the API.
///
/// @param answered hears of every answer
public record AnswerWatch(Answered answered, SecurityLog security) {}

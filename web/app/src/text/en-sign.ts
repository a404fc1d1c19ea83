/** The texts of signing in, loaded with its form. */
export const enSign = {
  "sign.in": "Sign in",
  "sign.up": "Create an account",
  "sign.handle": "Handle",
  "sign.handleHint": "2 to 32 letters, digits, . _ or -. Others write @handle to mention you.",
  "sign.name": "Name",
  "sign.nameHint": "What others see. May be left out.",
  "sign.passwordHint": "8 characters or more.",
  "sign.haveAccount": "I have an account",
  "sign.noAccount": "I am new here",
  "sign.wrong": "No account has this handle and password.",
  "sign.taken": "This handle is taken.",
  "sign.badHandle": "A handle has 2 to 32 letters, digits, . _ or -, and begins with a letter or digit.",
  "sign.closed": "This server does not take new accounts here.",
  "sign.suspended": "This account is suspended.",
  "sign.ended": "You have been signed out.",
  "sign.showPassword": "Show the password",
} as const satisfies Record<string, string | { other: string; one?: string }>;

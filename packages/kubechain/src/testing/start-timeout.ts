/** What starting or ending an environment may take: many times what it takes on a machine that is slow, and busy. */
export const START_TIMEOUT_MS = 60_000;

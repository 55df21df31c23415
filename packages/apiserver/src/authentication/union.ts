import type { IncomingMessage } from 'node:http';
import { aggregateError } from './authentication-error.ts';
import type { AuthenticatedUser, RequestAuthenticator, TokenAuthenticator } from './authenticator.ts';

type Outcome = AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined>;
export interface UnionOptions {
  /** End at the first bad credential instead of asking the others. Default false. */
  readonly failOnError?: boolean;
}

/**
 * Asks each in turn until one knows the caller. Stays synchronous as long as its members are.
 * @throws the error of the members that found a bad credential, when none succeeds (all messages in one)
 * Source: authentication/request/union.
 */
export function unionRequestAuthenticator(
  members: readonly RequestAuthenticator[],
  options: UnionOptions = {},
): RequestAuthenticator {
  if (members.length === 1) return members[0]!;
  const failOnError = options.failOnError ?? false;
  return {
    authenticate: (request: IncomingMessage) =>
      askInTurn({
        count: members.length,
        failOnError,
        ask: (index) => members[index]!.authenticate(request),
        refusal: (index) => (failOnError ? undefined : members[index]!.knownRefusal?.(request)),
      }),
  };
}

/** The same for tokens. Source: authentication/token/union. */
export function unionTokenAuthenticator(
  members: readonly TokenAuthenticator[],
  options: UnionOptions = {},
): TokenAuthenticator {
  if (members.length === 1) return members[0]!;
  const failOnError = options.failOnError ?? false;
  return {
    authenticateToken: (token, tokenOptions) =>
      askInTurn({
        count: members.length,
        failOnError,
        ask: (index) => members[index]!.authenticateToken(token, tokenOptions),
      }),
  };
}

interface Turns {
  readonly count: number;
  readonly failOnError: boolean;
  readonly ask: (index: number) => Outcome;
  /** What `ask` would throw, where that is known. */
  readonly refusal?: (index: number) => Error | undefined;
}

function askInTurn({ ask, count, failOnError, refusal }: Turns): Outcome {
  let errors: unknown[] | undefined;
  for (let index = 0; index < count; index++) {
    const known = refusal?.(index);
    if (known !== undefined) {
      (errors ??= []).push(known);
      continue;
    }
    try {
      const outcome = ask(index);
      if (outcome instanceof Promise)
        return finishLater(outcome, { index, count, failOnError, errors: errors ?? [], ask });
      if (outcome !== undefined) return outcome;
    } catch (error) {
      if (failOnError) throw error;
      (errors ??= []).push(error);
    }
  }
  if (errors !== undefined) throw aggregateError(errors);
  return undefined;
}

interface Progress {
  index: number;
  readonly count: number;
  readonly failOnError: boolean;
  readonly errors: unknown[];
  readonly ask: (index: number) => Outcome;
}

async function finishLater(
  first: Promise<AuthenticatedUser | undefined>,
  progress: Progress,
): Promise<AuthenticatedUser | undefined> {
  let outcome: Outcome = first;
  for (;;) {
    try {
      const user = await outcome;
      if (user !== undefined) return user;
    } catch (error) {
      if (progress.failOnError) throw error;
      progress.errors.push(error);
    }
    progress.index++;
    if (progress.index >= progress.count) break;
    try {
      outcome = progress.ask(progress.index);
    } catch (error) {
      outcome = Promise.reject(error as Error);
    }
  }
  if (progress.errors.length > 0) throw aggregateError(progress.errors);
  return undefined;
}

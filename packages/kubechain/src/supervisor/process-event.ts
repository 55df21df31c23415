import type { ChildExit } from './child-exit.ts';
import type { Silence } from './child-probe.ts';

/** What happens to a process, for the display and its log. Times in milliseconds. */
export type ProcessEvent =
  | {
      readonly kind: 'ready';
      readonly name: string;
      readonly afterMs: number;
      readonly restarts: number;
      readonly url: string | undefined;
    }
  /** It does not answer any more, and is killed. */
  | ({ readonly kind: 'stuck'; readonly name: string } & Silence)
  /** It has not answered for as long as a stuck one, but was given no processor for some of that: it is waited for. */
  | ({ readonly kind: 'starved'; readonly name: string } & Silence)
  | { readonly kind: 'ended'; readonly name: string; readonly exit: ChildExit; readonly restartInMs: number };

import { systemClock, type Timer, type TimerClock } from '@kubechain/apimachinery';
import type { ClientLink, LinkAnswer } from './client-link.ts';
import type { PieceRun } from './piece-run.ts';

export interface LinkPulseOptions {
  /** Between two looks at what has come over the link, milliseconds. Default 5,000. */
  readonly silenceMs?: number;
  /** How long a sign of life may take. Default 5,000. */
  readonly answerMs?: number;
  /** One that never goes back. Default: the machine's. */
  readonly clock?: TimerClock;
  /** False: not now (a debugger holds one of the two). */
  readonly wanted?: () => boolean;
}

/**
 * Asks for a sign of life over a link with open requests that nothing comes from, and ends the link where there is
 * none: a peer whose address is gone (a pod that was replaced, a node that was lost) closes no connection, and its
 * watches would be silent for as long as the kernel tries. Goes on until the link is over.
 */
export class LinkPulse {
  readonly #link: ClientLink;
  readonly #options: Required<Omit<LinkPulseOptions, 'wanted'>> & Pick<LinkPulseOptions, 'wanted'>;
  #heard: number;
  #asked: Question | undefined;
  #timer: Timer | undefined;

  constructor(
    link: ClientLink,
    { answerMs = 5_000, clock = systemClock, silenceMs = 5_000, wanted }: LinkPulseOptions = {},
  ) {
    this.#link = link;
    this.#options = { answerMs, clock, silenceMs, ...(wanted === undefined ? {} : { wanted }) };
    this.#heard = link.heard;
    this.#next();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#asked?.stop();
  }

  #next(): void {
    this.#timer = this.#options.clock.setTimer(() => {
      if (this.#link.over) return;
      const isSilent = this.#link.open > 0 && this.#link.heard === this.#heard;
      this.#heard = this.#link.heard;
      if (isSilent && this.#asked?.pending !== true && this.#options.wanted?.() !== false) this.#ask();
      this.#next();
    }, this.#options.silenceMs);
  }

  #ask(): void {
    const { answerMs, clock } = this.#options;
    const question = new Question(this.#link, () => {
      timer.cancel();
    });
    this.#asked = question;
    const timer = clock.setTimer(() => {
      // After a blocked turn of the event loop timers run before sockets: an answer that is there is not called late.
      setImmediate(() => {
        setImmediate(() => {
          if (question.pending) this.#link.destroy(new Error('the link does not answer'), 'unresponsive');
        });
      });
    }, answerMs);
    question.send();
  }
}

/** A request whose answer, whatever it says, is a sign of life. */
class Question implements LinkAnswer {
  readonly id: number;
  lastTurn = 0;
  lastPlace = 0;
  run: PieceRun | undefined = undefined;
  pending = true;
  readonly #link: ClientLink;
  readonly #answered: () => void;

  constructor(link: ClientLink, answered: () => void) {
    this.id = link.nextID();
    this.#link = link;
    this.#answered = answered;
  }

  send(): void {
    this.#link.request(this, { method: 'GET', url: '/livez/ping', block: [], own: [], hasBody: false });
  }

  stop(): void {
    if (!this.pending) return;
    this.pending = false;
    this.#answered();
  }

  head(): void {
    this.stop();
  }
  information(): void {
    this.stop();
  }
  body(_piece: Buffer, used?: () => void): void {
    used?.();
  }
  pieces(): void {
    this.stop();
  }
  end(_trailers: readonly string[] | undefined, _last?: Buffer, used?: () => void): void {
    this.stop();
    used?.();
  }
  credited(): void {
    /* there is no body */
  }
  broken(): void {
    this.stop();
  }
  failed(): void {
    this.stop();
  }
}

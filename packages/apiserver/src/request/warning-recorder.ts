import type { ServerResponse } from 'node:http';

/** Runes of warning text per response before long ones are cut (apiserver/pkg/endpoints/filters/warning.go). */
const totalRunes = 4_096;
/** Runes that a warning keeps once texts are cut. */
const itemRunes = 256;

interface Recorded {
  readonly agent: string;
  readonly text: string;
}

/** Adds deduplicated `Warning: 299` headers to one response; past 4096 runes all warnings are cut to 256. */
export class WarningRecorder {
  readonly #response: ServerResponse;
  readonly #recorded: Recorded[] = [];
  readonly #texts = new Set<string>();
  #headers: string[] = [];
  #written = 0;
  #truncating = false;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Does nothing when the response has begun. */
  add(text: string, agent: string): void {
    if (text === '' || this.#response.headersSent) return;
    if (this.#truncating && this.#written >= totalRunes) return;
    if (this.#texts.has(text)) return;
    this.#texts.add(text);
    this.#recorded.push({ agent, text });
    if (!this.#truncating && this.#written + runeCount(text) > totalRunes) {
      this.#truncating = true;
      this.#written = 0;
      this.#headers = [];
      for (const recorded of this.#recorded) this.#append(recorded);
    } else {
      this.#append({ agent, text });
    }
    this.#response.setHeader('Warning', this.#headers);
  }

  #append({ agent, text }: Recorded): void {
    const kept = this.#truncating && runeCount(text) > itemRunes ? Array.from(text).slice(0, itemRunes).join('') : text;
    const header = warningHeader(agent, kept);
    if (header === undefined) return;
    this.#written += runeCount(kept);
    this.#headers.push(header);
  }
}

function runeCount(text: string): number {
  let count = 0;
  for (const _rune of text) count++;
  return count;
}

/** `299 agent "text"`, or undefined for texts that no header can carry (control characters other than tabs). */
function warningHeader(agent: string, text: string): string | undefined {
  // Like Go's net.NewWarningHeader: control characters are refused, quotes and backslashes are escaped, the rest is
  // UTF-8.
  if (/\p{Cc}/u.test(text) || /[\p{Cc}\s"\\]/u.test(agent)) return undefined;
  const quoted = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `299 ${agent} "${Buffer.from(quoted, 'utf8').toString('latin1')}"`;
}

import { FuzzRandom } from './fuzz-random.ts';
import type { FuzzTarget } from './fuzz-target.ts';

/** How long a target is fed; whichever bound comes first ends it. */
export interface FuzzBounds {
  readonly seed: number;
  /** Number of the first try: a finding's own number plays it again. */
  readonly from: number;
  readonly runs: number;
  readonly milliseconds: number;
}

export interface FuzzFinding {
  readonly target: string;
  readonly seed: number;
  readonly attempt: number;
  readonly reason: string;
  /** What was fed, base64 where it is bytes. */
  readonly input: string;
}

export interface FuzzOutcome {
  readonly attempts: number;
  readonly findings: readonly FuzzFinding[];
}

export interface FuzzHooks {
  /** Told before each try. */
  readonly onAttempt?: (attempt: number) => void;
  readonly now: () => number;
}

/** More findings of one target are likely the same mistake. */
const MAX_FINDINGS = 5;

/** Feeds a target until a bound or a few findings. */
export async function runTarget(target: FuzzTarget, bounds: FuzzBounds, hooks: FuzzHooks): Promise<FuzzOutcome> {
  const findings: FuzzFinding[] = [];
  const found = (attempt: number, error: unknown, input: string): void => {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    findings.push({ target: target.name, seed: bounds.seed, attempt, reason, input });
  };
  const subject = await target.open();
  const end = hooks.now() + bounds.milliseconds;
  let attempts = 0;
  try {
    while (attempts < bounds.runs && findings.length < MAX_FINDINGS && hooks.now() < end) {
      const attempt = bounds.from + attempts++;
      hooks.onAttempt?.(attempt);
      let shown: string | Uint8Array = '';
      try {
        await subject.attempt(randomOf(bounds.seed, attempt), (input) => {
          shown = input;
        });
      } catch (error) {
        found(attempt, error, inputText(shown));
      }
    }
  } finally {
    try {
      await subject.close?.();
    } catch (error) {
      // What was found before is told as well.
      found(bounds.from + attempts - 1, error, inputText(''));
    }
  }
  return { attempts, findings };
}

/** Each try has choices of its own, so that it can be played without those before it. */
export function randomOf(seed: number, attempt: number): FuzzRandom {
  return new FuzzRandom(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(attempt + 1, 0xc2b2ae35));
}

/** The input as a literal that a test case can take over. */
function inputText(shown: string | Uint8Array): string {
  return typeof shown === 'string'
    ? JSON.stringify(shown)
    : `Buffer.from('${Buffer.from(shown).toString('base64')}', 'base64')`;
}

/** A finding as a reader wants it: what failed, with what, and how to play it again. */
export function findingText(finding: FuzzFinding): string {
  const { attempt, input, reason, seed, target } = finding;
  return [
    `${target}: ${reason}`,
    `  input: ${input.length > 4_000 ? `${input.slice(0, 4_000)}… (${input.length} characters)` : input}`,
    `  again: npm run fuzz -- --target ${target} --seed ${seed} --from ${attempt} --runs 1`,
  ].join('\n');
}

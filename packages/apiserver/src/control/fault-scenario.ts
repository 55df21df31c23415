import { parseDuration } from '../options/duration.ts';
import { FaultRuleError, parseFaultRule, type FaultRule } from './fault-rule.ts';

/** What a scenario does at a time. */
export type ScenarioStep =
  | { readonly kind: 'fault'; readonly afterMs: number; readonly rule: FaultRule }
  /** All watches end with 410. */
  | { readonly kind: 'expireWatches'; readonly afterMs: number };

/** Faults in time, by the clock of the chain. */
export interface FaultScenario {
  /** Of all that is left to chance; absent: one is drawn. */
  readonly seed?: number;
  readonly steps: readonly ScenarioStep[];
}

/** The largest seed, and what seeds that are drawn lie below. */
export const seeds = 2 ** 32;

/**
 * A scenario as a file has it: `seed`, and `steps` with `at` and `for` (durations like 1m30s; `at` is 0s, `for` is
 * without an end), and either `expireWatches: true` or a rule's members apart from `seed` and `durationMs`.
 * @throws FaultRuleError that names the step and the member
 */
export function parseScenario(value: unknown): FaultScenario {
  const scenario = membersOf(value, 'the scenario');
  for (const name of Object.keys(scenario))
    if (name !== 'seed' && name !== 'steps') throw new FaultRuleError(`the scenario has no member "${name}"`);
  const { seed, steps } = scenario;
  if (!Array.isArray(steps) || steps.length === 0) throw new FaultRuleError('steps must be a list of one step or more');
  if (seed !== undefined) checkSeed(seed);
  return {
    ...(seed === undefined ? {} : { seed: seed as number }),
    steps: steps.map((step: unknown, index) => {
      try {
        return parseStep(step);
      } catch (error) {
        if (!(error instanceof FaultRuleError)) throw error;
        throw new FaultRuleError(`steps[${index}]: ${error.message}`, { cause: error });
      }
    }),
  };
}

/** A seed out of a text. @throws FaultRuleError */
export function parseSeed(text: string): number {
  const seed = /^\d+$/.test(text) ? Number(text) : undefined;
  checkSeed(seed);
  return seed as number;
}

function checkSeed(seed: unknown): void {
  if (!Number.isInteger(seed) || (seed as number) < 0 || (seed as number) >= seeds)
    throw new FaultRuleError('seed must be a whole number from 0 to 4294967295');
}

function parseStep(value: unknown): ScenarioStep {
  const { at, for: lasting, ...rest } = membersOf(value, 'the step');
  const afterMs = at === undefined ? 0 : milliseconds(at, 'at');
  if (rest['expireWatches'] !== undefined) {
    if (rest['expireWatches'] !== true || lasting !== undefined || Object.keys(rest).length > 1)
      throw new FaultRuleError('expireWatches must be true, and stand alone with at');
    return { kind: 'expireWatches', afterMs };
  }
  for (const name of ['seed', 'afterMs', 'durationMs'])
    if (rest[name] !== undefined) throw new FaultRuleError(`the step has no member "${name}"`);
  const durationMs = lasting === undefined ? {} : { durationMs: milliseconds(lasting, 'for') };
  return { kind: 'fault', afterMs, rule: parseFaultRule({ ...rest, ...durationMs }) };
}

function milliseconds(value: unknown, what: string): number {
  const ms = typeof value === 'string' ? parseDuration(value) : undefined;
  if (ms === undefined || ms < 0) throw new FaultRuleError(`${what} must be a duration like 1m30s`);
  return ms;
}

function membersOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FaultRuleError(`${what} must be an object`);
  return value as Readonly<Record<string, unknown>>;
}

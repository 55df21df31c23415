import { readFileSync } from 'node:fs';
import type { ActiveFault, AppliedScenario, ChaosKind, FaultMatch, FaultRule } from '@kubechain/apiserver/control';
import { LaunchError } from '../launch-error.ts';
import type { ControlClient } from './control-client.ts';

/** A fault that is set; disposing of it removes it. */
export interface SetFault extends AsyncDisposable {
  readonly id: string;
  /** How often it has happened so far. */
  happened(): Promise<number>;
  remove(): Promise<void>;
}

/** A scenario that was begun; disposing of it ends it. */
export interface BegunScenario extends AsyncDisposable, AppliedScenario {
  /** Ends it: its faults are removed. */
  remove(): Promise<void>;
}

/** What `chaos` draws from, and how often. */
export interface ChaosOptions {
  /** Which requests; default: all. Whoever runs the test is among them. */
  readonly match?: FaultMatch;
  /** Of these requests, 0 to 1. Default 0.1. */
  readonly probability?: number;
  /**
   * Kinds of faults of requests. Default: all, and those of watches; without `match`, of what servers call and of the
   * serving certificate, too.
   */
  readonly among?: readonly ChaosKind[];
  /** What made the choices of another run. Default: one is drawn, and told on standard error. */
  readonly seed?: number;
}

/** Faults that requests meet. */
export class Faults {
  readonly #client: ControlClient;

  constructor(client: ControlClient) {
    this.#client = client;
  }

  /**
   * Sets a fault: `{ match: { verbs: ['update'], resources: ['deployments/status'] }, effect: { kind: 'status', code:
   * 409 }, count: 2 }`.
   * @throws LaunchError that names what is wrong with it
   */
  async add(rule: FaultRule): Promise<SetFault> {
    const { id } = await this.#client.json<ActiveFault>('POST', '/v1/faults', rule);
    const remove = async (): Promise<void> => {
      if ((await this.list()).some((fault) => fault.id === id)) await this.#client.json('DELETE', `/v1/faults/${id}`);
    };
    return {
      id,
      happened: async () => (await this.list()).find((fault) => fault.id === id)?.happened ?? 0,
      remove,
      [Symbol.asyncDispose]: remove,
    };
  }

  /**
   * Begins a scenario: a file, or its text (docs/control-api.md). `seed` counts before the scenario's own.
   * @throws LaunchError that names the step and what is wrong with it
   */
  async apply(scenario: string, { seed }: { readonly seed?: number | string } = {}): Promise<BegunScenario> {
    const query = seed === undefined ? '' : `?seed=${encodeURIComponent(seed)}`;
    const begun = JSON.parse(
      await this.#client.text('POST', `/v1/scenarios${query}`, scenarioText(scenario)),
    ) as AppliedScenario;
    const remove = async (): Promise<void> => {
      if ((await this.scenarios()).some(({ id }) => id === begun.id)) await this.removeScenario(begun.id);
    };
    return { ...begun, remove, [Symbol.asyncDispose]: remove };
  }

  /**
   * Lets requests meet any fault that they could meet on a cluster. The n-th request of a user with a verb for a
   * resource meets the same whenever the seed is the same.
   */
  async chaos({ seed, ...options }: ChaosOptions = {}): Promise<BegunScenario> {
    const text = chaosScenario(options);
    const begun = await this.apply(text, seed === undefined ? {} : { seed });
    if (seed === undefined) process.stderr.write(`kubechain: chaos with seed ${begun.seed}\n`);
    return begun;
  }

  /** Those that were begun and not removed. */
  async scenarios(): Promise<readonly AppliedScenario[]> {
    return (await this.#client.json<{ readonly scenarios: readonly AppliedScenario[] }>('GET', '/v1/scenarios'))
      .scenarios;
  }

  /** Its faults are removed. @throws LaunchError when there is none of this id */
  async removeScenario(id: string): Promise<void> {
    await this.#client.json('DELETE', `/v1/scenarios/${encodeURIComponent(id)}`);
  }

  async list(): Promise<readonly ActiveFault[]> {
    return (await this.#client.json<{ readonly faults: readonly ActiveFault[] }>('GET', '/v1/faults')).faults;
  }

  /** Removes all of them, and ends all scenarios. */
  async clear(): Promise<void> {
    await this.#client.json('DELETE', '/v1/faults');
  }

  /** Ends all watches with 410, as if what they know had been compacted; answers how many. */
  async expireWatches(): Promise<number> {
    return (await this.#client.json<{ readonly expired: number }>('POST', '/v1/watches/expire')).expired;
  }
}

/**
 * A request makes several calls, and nobody can connect while the certificate has expired: these are to happen less
 * often than faults of requests.
 */
const requestsForEach = 10;
const called = ['webhook', 'apiservice', 'delegate', 'store'] as const;

/**
 * Chaos as a scenario: of requests, and unless kinds of their faults are named, of watches; where it is not for certain
 * requests, of what the servers call for whatever request and of the certificate, too.
 */
export function chaosScenario({ among, match, probability = 0.1 }: ChaosOptions): string {
  const effect = { kind: 'chaos', ...(among === undefined ? {} : { among }) };
  const step = { match: match ?? {}, probability, effect };
  const forAll = [...called, 'certificate'].map((target) => ({
    target,
    probability: probability / requestsForEach,
    effect,
  }));
  return JSON.stringify({
    steps: [
      step,
      ...(among === undefined ? [{ target: 'watch', ...step }] : []),
      ...(among === undefined && match === undefined ? forAll : []),
    ],
  });
}

/** A text has lines or members; anything else is a file's name. */
function scenarioText(scenario: string): string {
  if (/[\n{]/.test(scenario)) return scenario;
  try {
    return readFileSync(scenario, 'utf8');
  } catch (error) {
    throw new LaunchError('Usage', `'${scenario}': no such file`, { cause: error });
  }
}

import { countValues, isDecodeError, isFormatError, isStatusError, limits } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { mostBytesHere, mostValuesHere, mostYAMLBytesHere } from '@kubechain/apiserver/resources';
import { isStorageError } from '@kubechain/shared-storage';
import type { Bars, ScalingFinding } from './bars.ts';
import { costOf, type Cost } from './cost.ts';
import type { ScalingCase } from './cases.ts';
import { collector } from './collector.ts';
import { stages, type Stage } from './stages.ts';

/** Costs below are noise: no ratio is taken of them. */
const NOISE_MS = 60;
/** Tries before something is a finding: the best of each size counts. */
const TRIES = 5;
/** What misses by so much does not pass at another try, but for a collection of garbage that met the first ones. */
const HOPELESS = 4;
const FAIR_TRIES = 3;

/** Collects everything now. */
const collect = collector();

/** Does everything with the object of a case at each size; what does not hold. */
export async function measureCase(
  at: ScalingCase,
  bars: Bars,
  of: readonly Stage[] = stages,
): Promise<{ readonly runs: number; readonly findings: readonly ScalingFinding[] }> {
  const sizes = sizesOf(at, bars);
  const findings: ScalingFinding[] = [];
  let runs = 0;
  for (const stage of of) {
    if (!at.concerns(stage)) continue;
    runs++;
    const reason = await fault(at, stage, { sizes, bars });
    if (reason !== undefined) findings.push({ at, stage: stage.name, reason });
  }
  return { runs, findings };
}

/** One object in the sizes that are compared; some of them may be the same one. */
interface Sizes {
  /** A quarter of the large one. */
  readonly small: KubeObject;
  /** As large as those that the thread which serves everybody works on; larger ones are the side server's. */
  readonly here: KubeObject;
  /** With as many values as a body may have. */
  readonly large: KubeObject;
  /** What `large` and `here` were made with. */
  readonly bytes: number;
  readonly bytesHere: number;
}

function sizesOf(at: ScalingCase, { bytes: most }: Bars): Sizes {
  const full = at.object(most);
  const values = countValues(Buffer.from(JSON.stringify(full)));
  const within = (limit: number): number => (values <= limit ? most : Math.floor((most * limit * 0.99) / values));
  const bytes = within(limits.bodyValues.value);
  const bytesHere = Math.min(within(mostValuesHere), mostBytesHere);
  const large = bytes === most ? full : at.object(bytes);
  const here = bytesHere === bytes ? large : at.object(bytesHere);
  return { small: at.object(bytes / 4), here, large, bytes, bytesHere };
}

/** Undefined where everything holds. */
async function fault(
  at: ScalingCase,
  stage: Stage,
  { bars, sizes }: { readonly sizes: Sizes; readonly bars: Bars },
): Promise<string | undefined> {
  try {
    const large = await Tried.of(at, stage, { bytes: sizes.bytes, object: sizes.large });
    if (large === undefined || (await large.again()).totalMs < NOISE_MS) return undefined;
    const own = stage.readsYAML === true;
    const mostBytes = own ? mostYAMLBytesHere : mostBytesHere;
    const here =
      sizes.here === sizes.large && !own
        ? large
        : ((await Tried.of(at, stage, { bytes: sizes.bytesHere, object: sizes.here, mostBytes })) ?? large);
    const small = await Tried.of(at, stage, { bytes: sizes.bytes / 4, object: sizes.small });
    if (small === undefined) return undefined;
    if (here !== large) await here.again();
    await small.again();
    const isShort = (room = 1): boolean => here.cost.heldMs <= room * bars.heldMs;
    const isLinear = (room = 1): boolean =>
      large.cost.totalMs <= room * Math.max(bars.ratio * small.cost.totalMs, NOISE_MS);
    const isHopeless = (): boolean => !isShort(HOPELESS) || !isLinear(HOPELESS);
    for (let tries = 1; tries < TRIES && (tries < FAIR_TRIES || !isHopeless()); tries++) {
      const tried = new Set([...(isShort() ? [] : [here]), ...(isLinear() ? [] : [small, large])]);
      if (tried.size === 0) return undefined;
      for (const one of tried) {
        // What others have left is not this one's cost, and larger objects have the collector pass more often.
        collect();
        await one.again();
      }
    }
    const linear = isLinear() || (await bendsBelow(at, stage, { large, bytes: sizes.bytes, ratio: bars.ratio }));
    return isShort() && linear ? undefined : told({ small: small.cost, large: large.cost, here: here.cost });
  } catch (error) {
    // What cannot be prepared was refused: that is measured where it is done.
    return isRefusal(error) ? undefined : error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

/**
 * Whether what costs more than it may has grown so in the lower half alone, and from there on in proportion: as what no
 * longer fits into the processor's caches does, once. What grows by a power of the size grows no less above than below.
 */
async function bendsBelow(
  at: ScalingCase,
  stage: Stage,
  { bytes, large, ratio }: { readonly large: Tried; readonly bytes: number; readonly ratio: number },
): Promise<boolean> {
  const half = await Tried.of(at, stage, { bytes: bytes / 2, object: at.object(bytes / 2) });
  if (half === undefined) return false;
  for (let tries = 0; tries < FAIR_TRIES; tries++) {
    for (const one of [half, large]) {
      collect();
      await one.again();
    }
  }
  return large.cost.totalMs <= Math.sqrt(ratio) * half.cost.totalMs;
}

/** A stage on one size, and the least that it took of all times. */
class Tried {
  cost: Cost = { totalMs: Infinity, heldMs: Infinity };
  readonly #run: () => Promise<void>;

  private constructor(run: () => unknown) {
    this.#run = refusalsAllowed(run);
  }

  /** Undefined where the stage is not for the object. */
  static async of(
    at: ScalingCase,
    stage: Stage,
    {
      bytes,
      mostBytes = limits.requestBody.value,
      object,
    }: { readonly object: KubeObject; readonly bytes: number; readonly mostBytes?: number },
  ): Promise<Tried | undefined> {
    const smaller = (share: number): KubeObject => at.object(Math.floor(bytes * share));
    const run = await stage.prepare(at.subject, object, { mostBytes, smaller });
    return run && new Tried(run);
  }

  async again(): Promise<Cost> {
    const { heldMs, totalMs } = await costOf(this.#run);
    this.cost = { totalMs: Math.min(this.cost.totalMs, totalMs), heldMs: Math.min(this.cost.heldMs, heldMs) };
    return this.cost;
  }
}

interface Costs {
  readonly small: Cost;
  readonly large: Cost;
  readonly here: Cost;
}

function told({ here, large, small }: Costs): string {
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  return (
    `${ms(small.totalMs)} → ${ms(large.totalMs)} (×${(large.totalMs / small.totalMs).toFixed(1)}), held ` +
    `${ms(here.heldMs)}`
  );
}

function refusalsAllowed(run: () => unknown): () => Promise<void> {
  return async () => {
    try {
      await run();
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  };
}

/** What storage cannot read is never stored. */
function isRefusal(error: unknown): boolean {
  return isStatusError(error) || isDecodeError(error) || isFormatError(error) || isStorageError(error, 'CorruptObject');
}

import { countValues, isDecodeError, isFormatError, isStatusError, limits } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { mostValuesHere } from '@kubechain/apiserver/resources';
import type { Bars, ScalingFinding } from './bars.ts';
import { costOf, type Cost } from './cost.ts';
import type { ScalingCase } from './cases.ts';
import { stages, type Stage } from './stages.ts';

/** Costs below are noise: no ratio is taken of them. */
const NOISE_MS = 60;
/** Tries before something is a finding: the best of each size counts. */
const TRIES = 5;

/** Does everything with the object of a case at both sizes; what does not hold. */
export async function measureCase(
  at: ScalingCase,
  bars: Bars,
  of: readonly Stage[] = stages,
): Promise<{ readonly runs: number; readonly findings: readonly ScalingFinding[] }> {
  const bytes = bytesOf(at, bars.bytes, limits.bodyValues.value);
  const small = at.object(bytes / 4);
  const large = at.object(bytes);
  const bytesHere = bytesOf(at, bars.bytes, mostValuesHere);
  const here = bytesHere === bytes ? large : at.object(bytesHere);
  const findings: ScalingFinding[] = [];
  let runs = 0;
  for (const stage of of) {
    runs++;
    const reason = await fault(at, { stage, small, large, here }, bars);
    if (reason !== undefined) findings.push({ at, stage: stage.name, reason });
  }
  return { runs, findings };
}

/** So many bytes, or as many as have no more values than that. */
function bytesOf(at: ScalingCase, bytes: number, most: number): number {
  const values = countValues(Buffer.from(JSON.stringify(at.object(bytes))));
  return values <= most ? bytes : Math.floor((bytes * most * 0.99) / values);
}

interface Work {
  readonly stage: Stage;
  readonly small: KubeObject;
  /** With as many values as a body may have. */
  readonly large: KubeObject;
  /** With as many values as are worked on by the thread that serves everybody; those of more are the side server's. */
  readonly here: KubeObject;
}

async function fault(at: ScalingCase, { here, large, small, stage }: Work, bars: Bars): Promise<string | undefined> {
  try {
    const onLarge = await stage.prepare(at.subject, large);
    if (onLarge === undefined) return undefined;
    const run = refusalsAllowed(onLarge);
    const most = await costOf(run);
    if (most.totalMs < NOISE_MS) return undefined;
    const onHere = here === large ? onLarge : await stage.prepare(at.subject, here);
    const runHere = onHere === undefined ? run : refusalsAllowed(onHere);
    const onSmall = await stage.prepare(at.subject, small);
    if (onSmall === undefined) return undefined;
    const runSmall = refusalsAllowed(onSmall);
    let costs = { small: await costOf(runSmall), large: most, here: here === large ? most : await costOf(runHere) };
    for (let tries = 1; tries < TRIES && !holds(costs, bars); tries++) {
      const again = await costOf(run);
      costs = {
        small: lesser(costs.small, await costOf(runSmall)),
        large: lesser(costs.large, again),
        here: lesser(costs.here, here === large ? again : await costOf(runHere)),
      };
    }
    return holds(costs, bars) ? undefined : told(costs);
  } catch (error) {
    // What cannot be prepared was refused: that is measured where it is done.
    return isRefusal(error) ? undefined : error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

interface Costs {
  readonly small: Cost;
  readonly large: Cost;
  readonly here: Cost;
}

function holds({ here, large, small }: Costs, { heldMs, ratio }: Bars): boolean {
  return here.heldMs <= heldMs && large.totalMs <= ratio * Math.max(small.totalMs, NOISE_MS / ratio);
}

function lesser(a: Cost, b: Cost): Cost {
  return { totalMs: Math.min(a.totalMs, b.totalMs), heldMs: Math.min(a.heldMs, b.heldMs) };
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

function isRefusal(error: unknown): boolean {
  return isStatusError(error) || isDecodeError(error) || isFormatError(error);
}

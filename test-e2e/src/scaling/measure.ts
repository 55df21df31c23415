import { countValues, isDecodeError, isFormatError, isStatusError, limits } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { heldBar, type Bars, type ScalingFinding } from './bars.ts';
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
  const bytes = allowedBytes(at, bars.bytes);
  const small = at.object(bytes / 4);
  const large = at.object(bytes);
  const findings: ScalingFinding[] = [];
  let runs = 0;
  for (const stage of of) {
    runs++;
    const reason = await fault(at, { stage, small, large }, { ...bars, heldMs: heldBar(stage.name, bars) });
    if (reason !== undefined) findings.push({ at, stage: stage.name, reason });
  }
  return { runs, findings };
}

/** So many bytes, or as many as have no more values than a body may have. */
function allowedBytes(at: ScalingCase, bytes: number): number {
  const most = limits.bodyValues.value;
  const values = countValues(Buffer.from(JSON.stringify(at.object(bytes))));
  return values <= most ? bytes : Math.floor((bytes * most * 0.99) / values);
}

interface Work {
  readonly stage: Stage;
  readonly small: KubeObject;
  readonly large: KubeObject;
}

async function fault(at: ScalingCase, { large, small, stage }: Work, bars: Bars): Promise<string | undefined> {
  try {
    const onLarge = await stage.prepare(at.subject, large);
    if (onLarge === undefined) return undefined;
    const run = refusalsAllowed(onLarge);
    let most = await costOf(run);
    if (most.totalMs < NOISE_MS) return undefined;
    const onSmall = await stage.prepare(at.subject, small);
    if (onSmall === undefined) return undefined;
    const runSmall = refusalsAllowed(onSmall);
    let least = await costOf(runSmall);
    for (let tries = 1; tries < TRIES && !holds(least, most, bars); tries++) {
      most = lesser(most, await costOf(run));
      least = lesser(least, await costOf(runSmall));
    }
    return holds(least, most, bars) ? undefined : told(least, most);
  } catch (error) {
    // What cannot be prepared was refused: that is measured where it is done.
    return isRefusal(error) ? undefined : error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

function holds(small: Cost, large: Cost, { heldMs, ratio }: Bars): boolean {
  return large.heldMs <= heldMs && large.totalMs <= ratio * Math.max(small.totalMs, NOISE_MS / ratio);
}

function lesser(a: Cost, b: Cost): Cost {
  return { totalMs: Math.min(a.totalMs, b.totalMs), heldMs: Math.min(a.heldMs, b.heldMs) };
}

function told(small: Cost, large: Cost): string {
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  return (
    `${ms(small.totalMs)} → ${ms(large.totalMs)} (×${(large.totalMs / small.totalMs).toFixed(1)}), held ` +
    `${ms(large.heldMs)}`
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

import { isFormatError, parseDuration as parseNanoseconds } from '@kubechain/apimachinery';

/** Milliseconds of a Go duration (`1h30m`, `1.5s`, `0`), or undefined when the text is none (time.ParseDuration). */
export function parseDuration(text: string): number | undefined {
  try {
    return Number(parseNanoseconds(text)) / 1e6;
  } catch (error) {
    if (isFormatError(error)) return undefined;
    throw error;
  }
}

/** A duration as Go prints it, e.g. `1h30m0s`, `1.5s`, `250ms`, `0s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0s';
  const sign = milliseconds < 0 ? '-' : '';
  const ms = Math.abs(milliseconds);
  if (ms < 1e-3) return `${sign}${trim(ms * 1e6)}ns`;
  if (ms < 1) return `${sign}${trim(ms * 1e3)}µs`;
  if (ms < 1_000) return `${sign}${trim(ms)}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = trim((ms % 60_000) / 1_000);
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${sign}${minutes}m${seconds}s` : `${sign}${seconds}s`;
}

function trim(value: number): string {
  return String(Number(value.toFixed(9)));
}

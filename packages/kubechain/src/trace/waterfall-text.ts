import type { RequestMessage } from '@kubechain/apiserver/observe';
import { barsOf, type Bar } from '../page/waterfall-bars.ts';
import type { RequestParts } from './followed-requests.ts';

/** How a waterfall is written. */
export interface WaterfallStyle {
  /** Of the terminal. */
  readonly columns: number;
  /** Steps that took less are left out, ms; 0 leaves none out. */
  readonly shortestMs: number;
  readonly colour: (colour: 'green' | 'red' | 'yellow' | 'dim', text: string) => string;
}

const timeColumns = 9;
const fewestColumns = 10;
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/**
 * One request as lines: what was asked and what came of it, who asked and what decided, and its steps in each process
 * as bars over the same time.
 * @param servers processes, the first of the chain first
 */
export function waterfallText(parts: RequestParts, servers: readonly string[], style: WaterfallStyle): string[] {
  const first = servers.map((name) => parts.get(name)).find((message) => message !== undefined);
  if (first === undefined) return [];
  const bars = barsOf(parts, servers);
  const totalMs = Math.max(0.001, ...bars.map(({ durationMs, startMs }) => startMs + durationMs));
  const shown = bars.filter((bar) => bar.kind === 'process' || bar.durationMs >= style.shortestMs);
  const nameColumns = Math.max(...shown.map((bar) => indented(bar).length));
  const barColumns = Math.max(fewestColumns, style.columns - nameColumns - timeColumns - 4);
  return [
    headline(first, totalMs, style),
    style.colour('dim', `  ${remarks(first).join(' · ')}`),
    ...shown.map((bar) => {
      const time = milliseconds(bar.durationMs).padStart(timeColumns);
      const drawn = drawBar(bar, totalMs, barColumns).padEnd(barColumns);
      const coloured = bar.kind === 'process' ? drawn : style.colour('dim', drawn);
      const line = `  ${indented(bar).padEnd(nameColumns)} ${coloured} ${time}`;
      return bar.detail === ''
        ? line
        : `${line}\n${style.colour('dim', `${' '.repeat(4 + bar.depth * 2)}${bar.detail}`)}`;
    }),
  ];
}

function headline({ code, method, uri }: RequestMessage, totalMs: number, { colour }: WaterfallStyle): string {
  const status = code === 0 ? 'no answer' : String(code);
  return `${method} ${uri}  ${colour(code >= 400 || code === 0 ? 'red' : 'green', status)}  ${milliseconds(totalMs)}`;
}

function remarks({ auditID, impersonator, observed, queuedMs, user }: RequestMessage): string[] {
  const who = impersonator === undefined ? user : `${user} (impersonated by ${impersonator})`;
  if (observed === undefined) return [who, 'too many requests to look at this one closely', auditID];
  const { credential, decision, flowSchema } = observed;
  return [
    // Of a fingerprint its beginning tells enough.
    credential === '' ? who : `${who} by ${credential.replace(/([0-9a-f]{12})[0-9a-f]{20,}/, '$1…')}`,
    ...(decision === undefined ? [] : [decision.reason === '' ? decision.decision : decision.reason]),
    ...(flowSchema === '' ? [] : [`flow ${flowSchema}${queuedMs > 0 ? `, queued ${milliseconds(queuedMs)}` : ''}`]),
    auditID,
  ];
}

function indented({ depth, name }: Bar): string {
  return `${'  '.repeat(depth)}${name}`;
}

/** A bar of at least one eighth of a column, where it belongs. */
function drawBar({ durationMs, startMs }: Bar, totalMs: number, columns: number): string {
  const before = Math.min(columns - 1, Math.floor((startMs / totalMs) * columns));
  const parts = Math.max(1, Math.round((durationMs / totalMs) * columns * eighths.length));
  const whole = Math.min(columns - before, Math.floor(parts / eighths.length));
  const rest = before + whole < columns ? (eighths[parts % eighths.length] ?? '') : '';
  return `${' '.repeat(before)}${'█'.repeat(whole)}${rest}`;
}

function milliseconds(ms: number): string {
  return ms < 0.1 ? `${Math.round(ms * 1_000)} µs` : `${ms < 10 ? ms.toFixed(2) : ms.toFixed(ms < 100 ? 1 : 0)} ms`;
}

import { FormatError, goQuote, parseDuration } from '@kubechain/apimachinery';

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const fields: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];
const descriptors = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']);

/**
 * What is wrong with a schedule, as the parser of the reference says it (ParseStandard of github.com/robfig/cron/v3);
 * nothing if it is fine.
 * @param loadLocation throws if there is no such time zone
 */
export function scheduleError(text: string, loadLocation: (name: string) => void): string | undefined {
  try {
    checkSchedule(text, loadLocation);
    return undefined;
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
}

function checkSchedule(text: string, loadLocation: (name: string) => void): void {
  const schedule = withoutZone(text, loadLocation);
  if (schedule.startsWith('@')) {
    checkDescriptor(schedule);
    return;
  }
  const words = schedule.split(/\s+/u).filter((word) => word !== '');
  if (words.length !== fields.length)
    throw new FormatError(`expected exactly ${fields.length} fields, found ${words.length}: [${words.join(' ')}]`);
  for (const [i, bounds] of fields.entries())
    for (const range of (words[i] ?? '').split(',')) if (range !== '') checkRange(range, bounds);
}

function withoutZone(text: string, loadLocation: (name: string) => void): string {
  if (!text.startsWith('TZ=') && !text.startsWith('CRON_TZ=')) return text;
  const space = text.indexOf(' ');
  if (space < 0) throw new FormatError('invalid schedule format: runtime error: slice bounds out of range [:-1]');
  const zone = text.slice(text.indexOf('=') + 1, space);
  try {
    loadLocation(zone);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new FormatError(`provided bad location ${zone}: ${error.message}`);
  }
  return text.slice(space).trim();
}

function checkDescriptor(text: string): void {
  if (descriptors.has(text)) return;
  if (!text.startsWith('@every ')) throw new FormatError(`unrecognized descriptor: ${text}`);
  try {
    parseDuration(text.slice('@every '.length));
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new FormatError(`failed to parse duration ${text}: ${error.message}`);
  }
}

function checkRange(text: string, bounds: Bounds): void {
  const [range = '', stepText, ...slashes] = text.split('/');
  const [low = '', high, ...hyphens] = range.split('-');
  const any = low === '*' || low === '?';
  const start = any ? bounds.min : parseValue(low, bounds);
  if (!any && hyphens.length > 0) throw new FormatError(`too many hyphens: ${text}`);
  let end = any ? bounds.max : high === undefined ? start : parseValue(high, bounds);
  if (slashes.length > 0) throw new FormatError(`too many slashes: ${text}`);
  const step = stepText === undefined ? 1 : parseNumber(stepText);
  if (stepText !== undefined && high === undefined) end = bounds.max;
  if (start < bounds.min) throw new FormatError(`beginning of range (${start}) below minimum (${bounds.min}): ${text}`);
  if (end > bounds.max) throw new FormatError(`end of range (${end}) above maximum (${bounds.max}): ${text}`);
  if (start > end) throw new FormatError(`beginning of range (${start}) beyond end of range (${end}): ${text}`);
  if (step === 0) throw new FormatError(`step of range should be a positive number: ${text}`);
}

function parseValue(text: string, { names = [] }: Bounds): number {
  const named = text === '' ? -1 : names.indexOf(text.toLowerCase());
  return named < 0 ? parseNumber(text) : named;
}

function parseNumber(text: string): number {
  if (!/^[+-]?\d+$/u.test(text))
    throw new FormatError(`failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
  const value = BigInt(text.replace('+', ''));
  if (value !== BigInt.asIntN(64, value))
    throw new FormatError(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: value out of range`,
    );
  if (value < 0n) throw new FormatError(`negative number (${value}) not allowed: ${text}`);
  return Number(value);
}

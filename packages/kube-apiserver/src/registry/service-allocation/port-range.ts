import { OptionsError } from '@kubechain/apiserver/options';

const minBand = 16;
const maxBand = 128;
const bandShare = 32;

/**
 * The node ports that services may have: `size` ports from `base` on; the first `band` of them are given only to those
 * who ask for one, while others are free.
 */
export interface PortRange {
  readonly base: number;
  readonly size: number;
  readonly band: number;
  /** `30000-32767`, as it is stored and printed. */
  readonly text: string;
}

/** Reads --service-node-port-range: `low-high`, or `base+count`, or one port. @throws OptionsError */
export function parsePortRange(text: string): PortRange {
  const match = /^(\d+)(?:([-+])(\d+))?$/.exec(text.trim());
  const low = Number(match?.[1]);
  const high = match?.[2] === '-' ? Number(match[3]) : match?.[2] === '+' ? low + Number(match[3]) : low;
  if (match === null || low < 1 || high > 65_535 || high < low)
    throw new OptionsError(
      'InvalidValue',
      `--service-node-port-range: ${JSON.stringify(text)} is no range of ports such as 30000-32767`,
    );
  const size = high - low + 1;
  return {
    base: low,
    size,
    band: size <= minBand ? 0 : Math.min(Math.max(Math.floor(size / bandShare), minBand), maxBand),
    text: `${low}-${high}`,
  };
}

/** Whether the port is in the range. */
export function hasPort({ base, size }: PortRange, port: number): boolean {
  return port >= base && port < base + size;
}

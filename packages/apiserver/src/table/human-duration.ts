const minute = 60,
  hour = 3600,
  day = 86_400,
  year = 365 * day;

/**
 * How long ago, in two or three figures: `5s`, `3m12s`, `4h`, `2d3h`, `5y12d`
 * (apimachinery/pkg/util/duration.HumanDuration).
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  // Clocks differ a little: what is up to two seconds ahead counts as now.
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * minute) return `${seconds}s`;
  if (seconds < 10 * minute) return two(seconds, minute, 'm', 's');
  if (seconds < 3 * hour) return `${Math.trunc(seconds / minute)}m`;
  if (seconds < 8 * hour) return two(Math.trunc(seconds / minute), 60, 'h', 'm');
  if (seconds < 48 * hour) return `${Math.trunc(seconds / hour)}h`;
  if (seconds < 8 * day) return two(Math.trunc(seconds / hour), 24, 'd', 'h');
  if (seconds < 2 * year) return `${Math.trunc(seconds / day)}d`;
  if (seconds < 8 * year) return two(Math.trunc(seconds / day), 365, 'y', 'd');
  return `${Math.trunc(seconds / year)}y`;
}

function two(value: number, base: number, major: string, minor: string): string {
  const rest = value % base;
  return rest === 0 ? `${Math.trunc(value / base)}${major}` : `${Math.trunc(value / base)}${major}${rest}${minor}`;
}

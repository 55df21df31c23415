/** A count, or the percentage of a size, rounded (intstr.GetScaledValueFromIntOrPercent); 0 where there is neither. */
export function scaledCount(
  value: number | string | undefined,
  size: number,
  round: (value: number) => number = Math.ceil,
): number {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(value ?? '')?.[1];
  return percent === undefined ? 0 : round((Number(percent) * size) / 100);
}

import type { JSX } from 'preact';

/** A line without axes. */
export function Spark({ label, values }: { readonly values: readonly number[]; readonly label: string }): JSX.Element {
  const most = Math.max(1, ...values);
  const x = (index: number): number => (index / Math.max(1, values.length - 1)) * 300;
  const y = (value: number): number => 38 - (value / most) * 34;
  const line = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  return (
    <svg class="spark" viewBox="0 0 300 40" preserveAspectRatio="none" role="img" aria-label={label}>
      {values.length > 1 && <polygon points={`0,40 ${line} 300,40`} />}
      {values.length > 1 && <polyline points={line} />}
    </svg>
  );
}

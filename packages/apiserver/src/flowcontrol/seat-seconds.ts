/**
 * Work is measured in seat-seconds, here as plain numbers. Upstream's fixed-point form (request/seat_seconds.go) wraps
 * around and needs epochs; a double is exact to a microsecond for decades of full use.
 */
export function seatSeconds(seats: number, durationMs: number): number {
  return (seats * durationMs) / 1_000;
}

/** Upstream's text, with 8 decimals: `3.00150000ss`. */
export function formatSeatSeconds(value: number): string {
  return `${value.toFixed(8)}ss`;
}

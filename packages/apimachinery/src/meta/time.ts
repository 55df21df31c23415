/** Time and identity come from outside: nothing in this package reads a clock or draws random numbers. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

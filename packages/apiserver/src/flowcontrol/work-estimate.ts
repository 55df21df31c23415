/** What a request will cost, but for the time that it takes (request/width.go, 1.36). */
export interface WorkEstimate {
  /** Seats while it runs. */
  readonly initialSeats: number;
  /** Seats for `additionalLatencyMs` after its answer: the watches that its event goes to keep the server busy. */
  readonly finalSeats: number;
  readonly additionalLatencyMs: number;
}

/** One seat while it runs: most requests. */
export const oneSeat: WorkEstimate = { initialSeats: 1, finalSeats: 0, additionalLatencyMs: 0 };

/** A figure of whole processes: how long a start takes, how much memory they hold. */
export interface Figure {
  readonly name: string;
  /** By contender, round by round; less is better. */
  readonly values: ReadonlyMap<string, readonly number[]>;
}

/** Figures while they are gathered; in the order in which their names were first used. */
export class Figures {
  readonly #figures = new Map<string, Map<string, number[]>>();

  add(name: string, contender: string, value: number): void {
    const figure = this.#figures.get(name) ?? new Map<string, number[]>();
    this.#figures.set(name, figure);
    const values = figure.get(contender) ?? [];
    figure.set(contender, values);
    values.push(value);
  }

  all(): Figure[] {
    return [...this.#figures].map(([name, values]) => ({ name, values }));
  }
}

import table from './generated/internal-types.json' with { type: 'json' };

/** Name of an internal type, e.g. `core.PodSpec`. Its own module: declarations that others compile import no JSON. */
export type InternalType = keyof typeof table;

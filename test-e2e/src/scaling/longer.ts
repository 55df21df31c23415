/** A stage that holds the loop for longer than others may. */
export interface LongerStage {
  /** For an object as large as a body may be, in ms of processor time; less in proportion for a smaller one. */
  readonly heldMs: number;
  readonly why: string;
}

const whole =
  'is one pass without calls that could wait, at one to four microseconds for each of as many values as a body may ' +
  'have (limits.bodyValues), and most for the keys of one large map; ';

/**
 * Stages whose work cannot be done within the common bar on what has as many keys and values as a body may have, by
 * name. Requests pause before and behind each of them, so that they do not add up.
 */
export const longerStages: ReadonlyMap<string, LongerStage> = new Map<string, LongerStage>([
  ['decode JSON', { heldMs: 600, why: `${whole}JSON.parse and the collector have half of it` }],
  ['decode YAML', { heldMs: 1_000, why: `${whole}its nodes are read by recursion` }],
  ['decode flow YAML', { heldMs: 1_000, why: `${whole}its nodes are read by recursion` }],
  ['read an applied body', { heldMs: 350, why: `${whole}what is not JSON is read as YAML is` }],
  ['validate', { heldMs: 1_000, why: `${whole}rules of a kind are functions that answer at once` }],
  ['validate an update', { heldMs: 1_000, why: `${whole}rules of a kind are functions that answer at once` }],
  ['note managers', { heldMs: 1_000, why: `${whole}each field is compared, named, put in order and written` }],
  ['apply', { heldMs: 1_000, why: `${whole}it pauses between its steps, of which merging is the longest` }],
  ['apply again', { heldMs: 1_000, why: `${whole}it pauses between its steps, of which merging is the longest` }],
  ['strategic merge', { heldMs: 1_000, why: `${whole}lists are matched by key, and put in the order of the patch` }],
  ['JSON merge patch', { heldMs: 750, why: `${whole}half of it is the copy that a patch is applied to` }],
  ['JSON patch', { heldMs: 1_250, why: `${whole}half of it is the copy that a patch is applied to` }],
  ['JSON patch that tests', { heldMs: 1_000, why: `${whole}half of it is the copy that a patch is applied to` }],
  ['JSON patch that moves', { heldMs: 750, why: `${whole}half of it is the copy that a patch is applied to` }],
  ['default', { heldMs: 350, why: `${whole}nearly all of it is the copy that is changed` }],
  ['convert', { heldMs: 400, why: `${whole}nearly all of it is the copy that is changed` }],
  ['encode JSON', { heldMs: 600, why: `${whole}keys are put in order before JSON.stringify writes them` }],
  ['encode YAML', { heldMs: 400, why: `${whole}what Go always writes is filled in before it pauses in its writing` }],
  ['decode protobuf', { heldMs: 350, why: `${whole}every value is an object of its own` }],
  ['encode protobuf', { heldMs: 350, why: `${whole}every value is an object of its own` }],
]);

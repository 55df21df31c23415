import type { FlowSchema } from '@kubechain/apimachinery/types/flowcontrol/v1';
import type { RequestContext } from '../request/request-context.ts';
import type { FlowCell } from './flow-metrics.ts';
import { compileRules, type FlowMatcher } from './match-flow-schema.ts';
import type { Queuing } from './queuing.ts';
import { dealHand, flowHash } from './shuffle-sharding.ts';

/**
 * Hands that a schema remembers: those of 4,096 users or namespaces, some 100 bytes each. When it is full all are
 * forgotten; dealing one takes 5 µs.
 */
const rememberedHands = 4_096;
const noHand: readonly number[] = [];

/** What a schema asks of the level that its requests go to. */
export interface SchemaLevel {
  readonly uid: string;
  readonly queuing: Queuing;
  /** The most seats that one request may take. */
  readonly maxSeats: number;
}

/** A FlowSchema as requests are matched with it. Made anew whenever the configuration changes. */
export class CompiledFlowSchema<Level extends SchemaLevel = SchemaLevel> {
  readonly name: string;
  /** For the headers of answers; '' for a mandatory schema that is not stored (yet). */
  readonly flowSchemaUID: string;
  readonly priorityLevelUID: string;
  readonly precedence: number;
  readonly level: Level;
  readonly matches: FlowMatcher;
  readonly cell: FlowCell;
  readonly #distinguisher: string | undefined;
  readonly #hands = new Map<string, readonly number[]>();

  constructor({ metadata, spec }: FlowSchema, level: Level, cell: FlowCell) {
    this.name = metadata?.name ?? '';
    this.flowSchemaUID = metadata?.uid ?? '';
    this.priorityLevelUID = level.uid;
    this.precedence = spec?.matchingPrecedence ?? 0;
    this.level = level;
    this.matches = compileRules(spec?.rules);
    this.cell = cell;
    this.#distinguisher = spec?.distinguisherMethod?.type;
  }

  /** What tells the flows of the schema apart; '' where the level has at most one queue. */
  distinguisherOf({ user, requestInfo }: RequestContext): string {
    const { queuing } = this.level;
    if (queuing.kind !== 'queue' || queuing.queues <= 1) return '';
    switch (this.#distinguisher) {
      case 'ByUser':
        return user.name;
      case 'ByNamespace':
        return requestInfo.namespace;
      default:
        return '';
    }
  }

  /** The queues of one flow. */
  handOf(distinguisher: string): readonly number[] {
    const { queuing } = this.level;
    if (queuing.kind !== 'queue') return noHand;
    let hand = this.#hands.get(distinguisher);
    if (hand === undefined) {
      hand = dealHand(queuing.queues > 1 ? flowHash(this.name, distinguisher) : 0n, queuing);
      if (this.#hands.size >= rememberedHands) this.#hands.clear();
      this.#hands.set(distinguisher, hand);
    }
    return hand;
  }
}

import type { ResourceRoute, UpgradeHandler } from '../route.ts';

/** What is known of a route before its handlers are made. */
export type RouteFacts = Omit<ResourceRoute, 'handlers' | 'upgrades'>;

const none: ReadonlyMap<string, UpgradeHandler> = new Map();

/** A route whose handlers are made when the first request for it comes. */
export class DeferredRoute implements ResourceRoute {
  declare readonly namespaced?: boolean;
  declare readonly acceptsSubpath?: boolean;
  declare readonly methods?: ReadonlySet<string>;
  declare readonly custom?: boolean;
  readonly #load: () => ResourceRoute;
  #route: ResourceRoute | undefined;

  /** What `load` throws is thrown to the request that asked; the next one tries again. */
  constructor(facts: RouteFacts, load: () => ResourceRoute) {
    this.#load = load;
    Object.assign(this, facts);
  }

  get handlers(): ResourceRoute['handlers'] {
    return this.#loaded().handlers;
  }

  get upgrades(): NonNullable<ResourceRoute['upgrades']> {
    return this.#loaded().upgrades ?? none;
  }

  #loaded(): ResourceRoute {
    return (this.#route ??= this.#load());
  }
}

import { equalJSON, selectorFromMap, type JSONValue, type LabelSelector } from '@kubechain/apimachinery';
import type { Pod, Service } from '@kubechain/apimachinery/types/core/v1';
import { inTurns } from '../clock/in-turns.ts';
import type { ControllerContext } from '../controller/controller.ts';
import { haveSameLabels } from '../controller/same-labels.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { SelectingObjects } from '../selectors/selecting-objects.ts';

/** What of a pod endpoints show (endpointslice/util's podEndpointsChanged). */
function endpointFacts({ metadata, spec, status }: Pod): JSONValue {
  return [
    metadata?.deletionTimestamp !== undefined,
    metadata?.name ?? '',
    metadata?.namespace ?? '',
    metadata?.uid ?? '',
    spec?.nodeName ?? '',
    spec?.hostname ?? '',
    spec?.subdomain ?? '',
    status?.phase === 'Succeeded' || status?.phase === 'Failed',
    status?.podIP ?? '',
    (status?.podIPs ?? []).map(({ ip }) => ip),
    isPodReady(status),
  ] as JSONValue;
}

/** Whether the pod's Ready condition holds. */
export function isPodReady(status: Pod['status'] | undefined): boolean {
  return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
}

/**
 * Has a controller look at the services whose endpoints a change of a pod may change: those that select it, or did so
 * before; where only its labels are others, those that do so no longer or only now.
 */
export class PodServices {
  readonly #selecting: SelectingObjects<Service>;

  /** `queue` is given the keys of services. */
  constructor(
    services: SharedInformer<Service>,
    { clock, log, queue }: Pick<ControllerContext, 'clock' | 'log'> & { readonly queue: (key: string) => void },
  ) {
    this.#selecting = new SelectingObjects<Service>({
      clock,
      objects: services,
      selectorOf: selectorOfService,
      found: (keys) => inTurns(keys, queue),
      onError: (error) => log.error('cannot tell the services of a pod', error),
    });
  }

  /** Undefined before it came, and after it has gone. */
  podChanged(before: Pod | undefined, after: Pod | undefined): void {
    if (before === undefined || after === undefined) return this.podConcerned((before ?? after)!);
    const sameLabels = haveSameLabels(before, after);
    if (!equalJSON(endpointFacts(before), endpointFacts(after))) {
      this.podConcerned(after);
      if (!sameLabels) this.podConcerned(before);
    } else if (!sameLabels) {
      this.#selecting.ask(after.metadata ?? {}, { except: before.metadata?.labels ?? {} });
      this.#selecting.ask(before.metadata ?? {}, { except: after.metadata?.labels ?? {} });
    }
  }

  /** Something else that endpoints show of a pod has changed. */
  podConcerned({ metadata }: Pod): void {
    this.#selecting.ask(metadata ?? {});
  }

  /** Until `signal` aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#selecting.run(signal);
  }
}

/** What a service's pods have; undefined: it selects none. */
export function selectorOfService({ spec }: Service): LabelSelector | undefined {
  return spec?.selector === undefined ? undefined : selectorFromMap(spec.selector);
}

/** Whether labels have all that a service's selector asks for. */
export function selects(selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value);
}

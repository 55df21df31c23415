import type { TimerClock } from '@kubechain/apimachinery';
import { getRequestContext } from '@kubechain/apiserver/proxies';
import type { DelegationTarget, GenericAPIServer } from '@kubechain/apiserver/servers';

/** How often it is looked whether a definition has come, and for how long, in ms. */
const lookMs = 20;
const longestMs = 5_000;

/**
 * Behind a side server, which is asked for what the server in front serves: what it does not know yet it hears of
 * within a moment.
 */
export function laterDefinitions(
  server: () => GenericAPIServer,
  { clock, end: nobody }: { readonly clock: TimerClock; readonly end: DelegationTarget },
): DelegationTarget {
  return {
    ...nobody,
    handle(request, response) {
      const { apiGroup, apiVersion, isResourceRequest, resource, subresource } = getRequestContext(request).requestInfo;
      const end = clock.now() + longestMs;
      const look = (): void => {
        if (response.destroyed) return;
        if (server().routes.get(apiGroup, apiVersion, resource, subresource) !== undefined)
          server().unprotectedHandler(request, response);
        else if (!isResourceRequest || clock.now() >= end) nobody.handle(request, response);
        else clock.setTimer(look, lookMs);
      };
      look();
    },
  };
}

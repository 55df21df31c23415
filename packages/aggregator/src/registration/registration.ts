import type { InformerChange } from '@kubechain/apiserver/resources';
import type { DelegationTarget, NonResourceMux } from '@kubechain/apiserver/servers';
import type { AvailabilityController } from '../availability/availability-controller.ts';
import type { DiscoveryRoutes } from '../discovery/discovery-routes.ts';
import type { RemoteDiscovery } from '../discovery/remote-discovery.ts';
import { RemoteService, type RemoteEnvironment } from '../remote/remote-service.ts';
import { apiRegistrationGroup } from '../apiservice/api-service.ts';
import type { APIService } from '../apiservice/api-service.ts';
import { isAvailable } from '../apiservice/conditions.ts';

export interface RegistrationOptions {
  /** Extension API servers by path prefix; kept here, read by whoever routes. */
  readonly routes: Map<string, RemoteService>;
  readonly environment: RemoteEnvironment;
  readonly availability: AvailabilityController;
  readonly remoteDiscovery: RemoteDiscovery;
  readonly discovery: DiscoveryRoutes;
  readonly mux: NonResourceMux;
  readonly delegate: DelegationTarget;
}

/**
 * Brings what is routed, checked and shown in line with each APIService (kube-aggregator's
 * APIServiceRegistrationController and APIAggregator.AddAPIService, 1.36).
 */
export class Registration {
  readonly #options: RegistrationOptions;
  readonly #remotes = new Map<string, RemoteService>();
  /** Group → number of its APIServices. */
  readonly #groups = new Map<string, number>();

  constructor(options: RegistrationOptions) {
    this.#options = options;
  }

  readonly changed = (change: InformerChange<APIService>): void => {
    if (change.kind === 'delete') this.#remove(change.previous);
    else this.#set(change.value, change.previous);
  };

  /** Makes all connections anew, with the proxy client certificate as it is now. */
  reloadClientCertificate(): void {
    const old = new Map(this.#remotes);
    this.#remotes.clear();
    for (const [name, remote] of old) {
      this.#connect({
        metadata: { name },
        spec: remote.spec,
        status: { conditions: [{ type: 'Available', status: remote.available ? 'True' : 'False' }] },
      });
      remote.close();
    }
  }

  close(): void {
    for (const remote of this.#remotes.values()) remote.close();
  }

  #set(service: APIService, previous: APIService | undefined): void {
    const { availability } = this.#options;
    const name = service.metadata.name ?? '';
    if (previous === undefined) this.#list(service);
    const known = this.#remotes.get(name);
    if (service.spec.service === undefined) {
      if (known !== undefined) this.#drop(name, service);
      // Written conditions come back as changes: only what is not yet said is checked.
      if (known !== undefined || !saysLocal(service)) availability.set(name, undefined);
      return;
    }
    if (known !== undefined && JSON.stringify(known.spec) === JSON.stringify(service.spec)) {
      availability.conditionsChanged(name, service.status?.conditions ?? []);
      known.available = isAvailable(service);
      // Whatever has changed, the server is asked what it serves: also where it is no longer available.
      this.#options.remoteDiscovery.set(known);
      return;
    }
    known?.close();
    this.#connect(service);
  }

  #connect(service: APIService): void {
    const { availability, routes } = this.#options;
    const name = service.metadata.name ?? '';
    const remote = new RemoteService(service, this.#options.environment);
    this.#remotes.set(name, remote);
    routes.set(prefixOf(service), remote);
    availability.set(name, remote);
    this.#options.remoteDiscovery.set(remote);
  }

  #remove(service: APIService): void {
    const name = service.metadata.name ?? '';
    this.#drop(name, service);
    this.#options.availability.delete(name);
    this.#options.remoteDiscovery.delete(name);
    this.#unlist(service);
  }

  /**
   * Requests stop going to the server. What aggregated discovery shows of it stays until the APIService is deleted, as
   * in the reference.
   */
  #drop(name: string, service: APIService): void {
    this.#remotes.get(name)?.close();
    this.#remotes.delete(name);
    this.#options.routes.delete(prefixOf(service));
  }

  /** Shows the paths at `/` and serves the group; all below the aggregator's own group is answered here anyway. */
  #list(service: APIService): void {
    const { mux, discovery, delegate } = this.#options;
    const { group = '' } = service.spec;
    if (group === '' || group === apiRegistrationGroup) return;
    const path = prefixOf(service);
    mux.handle(
      path,
      (request, response) => {
        delegate.handle(request, response);
      },
      { trailingSlash: true },
    );
    const count = this.#groups.get(group) ?? 0;
    this.#groups.set(group, count + 1);
    if (count === 0) discovery.addGroup(group);
  }

  #unlist(service: APIService): void {
    const { group = '' } = service.spec;
    if (group === '' || group === apiRegistrationGroup) return;
    this.#options.mux.remove(prefixOf(service));
    const count = (this.#groups.get(group) ?? 1) - 1;
    if (count > 0) this.#groups.set(group, count);
    else {
      this.#groups.delete(group);
      this.#options.discovery.removeGroup(group);
    }
  }
}

function prefixOf({ metadata, spec }: APIService): string {
  return metadata.name === 'v1.' ? '/api' : `/apis/${spec.group ?? ''}/${spec.version ?? ''}`;
}

function saysLocal({ status }: APIService): boolean {
  return (
    status?.conditions?.some(
      ({ type, status: state, reason }) => type === 'Available' && state === 'True' && reason === 'Local',
    ) === true
  );
}

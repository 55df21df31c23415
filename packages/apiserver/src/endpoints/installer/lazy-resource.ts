import type { APIResource } from '../discovery/api-resource.ts';
import type { CustomResourceOpenAPI } from './custom-resource-open-api.ts';
import type { InstalledResource } from './installed-resource.ts';

/** A custom resource or subresource whose storage and handlers are made when the first request for it comes. */
export interface LazyResource {
  readonly group: string;
  readonly version: string;
  readonly path: string;
  readonly namespaced: boolean;
  /** Its discovery entry. Absent: it is served without being in discovery and OpenAPI documents. */
  readonly entry?: APIResource;
  /** @throws StatusError what requests are answered for now; the next request tries again */
  load(): InstalledResource;
  /** What OpenAPI documents say of it; on the resource, not on its subresources. */
  openAPI?(): CustomResourceOpenAPI;
}

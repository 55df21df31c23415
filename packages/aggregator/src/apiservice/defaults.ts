import type { KubeObject } from '@kubechain/apimachinery';
import type { APIService } from './api-service.ts';

/** The port of a service that names none (apiregistration/v1/defaults.go, 1.36). */
const defaultPort = 443;

/** Defaults of an APIService that its schema does not say. */
export function defaultAPIService(object: KubeObject): void {
  const { spec } = object as APIService;
  if (spec?.service !== undefined && spec.service.port === undefined)
    (spec as { service: object }).service = { ...spec.service, port: defaultPort };
}

import type {
  Container,
  EphemeralContainer,
  HTTPGetAction,
  ObjectFieldSelector,
  Probe,
} from '@kubechain/apimachinery/types/core/v1';
import { roundResources } from '../resource-list.ts';
import { imageTag } from './image-name.ts';

/** Pull policy of an image that names none: what is tagged latest may change at any time. */
export function defaultPullPolicy(image: string): 'Always' | 'IfNotPresent' {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

/** Container defaults of pod specs (SetDefaults_Container and what it reaches, pkg/apis/core/v1, 1.36). */
export function defaultContainer(container: Container | EphemeralContainer): void {
  container.imagePullPolicy ||= defaultPullPolicy(container.image ?? '');
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  if (container.env !== undefined)
    for (const variable of container.env)
      if (variable.valueFrom?.fieldRef !== undefined) defaultFieldRef(variable.valueFrom.fieldRef);
  roundResources(container.resources);
  if (container.livenessProbe !== undefined) defaultProbe(container.livenessProbe);
  if (container.readinessProbe !== undefined) defaultProbe(container.readinessProbe);
  if (container.startupProbe !== undefined) defaultProbe(container.startupProbe);
  if (container.lifecycle !== undefined) {
    defaultHTTPGet(container.lifecycle.postStart?.httpGet);
    defaultHTTPGet(container.lifecycle.preStop?.httpGet);
  }
}

/** References to fields of the pod are to v1 pods. */
export function defaultFieldRef(reference: ObjectFieldSelector): void {
  reference.apiVersion ||= 'v1';
}

function defaultProbe(probe: Probe): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  defaultHTTPGet(probe.httpGet);
}

function defaultHTTPGet(action: HTTPGetAction | undefined): void {
  if (action === undefined) return;
  action.path ||= '/';
  action.scheme ||= 'HTTP';
}

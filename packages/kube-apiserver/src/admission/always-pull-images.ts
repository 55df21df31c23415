import { FieldPath, aggregateTexts, notSupported, unclassifiedError } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import { admissionForbidden } from '@kubechain/apiserver/resources';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { allContainers } from '../registry/core/pod/validation/container.ts';
import { concerns } from './attributes.ts';

const specPath = FieldPath.of('spec');

/**
 * Lets nodes ask for every image of a pod anew, so that who may use one is decided where it comes from
 * (plugin/pkg/admission/alwayspullimages, 1.36).
 */
export class AlwaysPullImages implements AdmissionPlugin {
  readonly name = 'AlwaysPullImages';

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  admit(attributes: AdmissionAttributes): void {
    const pod = podOf(attributes);
    if (pod?.spec === undefined) return;
    for (const [container] of allContainers(pod.spec, specPath)) container.imagePullPolicy = 'Always';
    for (const { image } of pod.spec.volumes ?? []) if (image !== undefined) image.pullPolicy = 'Always';
  }

  validate(attributes: AdmissionAttributes): void {
    const pod = podOf(attributes);
    if (pod?.spec === undefined) return;
    const errors: FieldError[] = [];
    const check = (path: FieldPath, policy: string | undefined): void => {
      if (policy !== 'Always') errors.push(notSupported(path, policy ?? '', ['Always']));
    };
    for (const [container, path] of allContainers(pod.spec, specPath))
      check(path.child('imagePullPolicy'), container.imagePullPolicy);
    for (const [i, { image }] of (pod.spec.volumes ?? []).entries())
      if (image !== undefined)
        check(specPath.child('volumes').index(i).child('image').child('pullPolicy'), image.pullPolicy);
    if (errors.length === 0) return;
    // Several refusals in one have no status of their own.
    const messages = errors.map((error) => admissionForbidden(attributes, String(error)).message);
    throw unclassifiedError(aggregateTexts(messages));
  }
}

/** The pod, where it has images that it had not before. */
function podOf(attributes: AdmissionAttributes): Pod | undefined {
  if (!concerns(attributes, '', 'pods')) return undefined;
  const pod = attributes.object as Pod | undefined;
  if (attributes.operation !== 'UPDATE') return pod;
  const old = new Set(imagesOf(attributes.oldObject as Pod | undefined));
  return imagesOf(pod).every((image) => old.has(image)) ? undefined : pod;
}

function imagesOf(pod: Pod | undefined): readonly string[] {
  return pod?.spec === undefined ? [] : allContainers(pod.spec, specPath).map(([{ image }]) => image ?? '');
}

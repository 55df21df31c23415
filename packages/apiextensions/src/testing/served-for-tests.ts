import { systemRandomness } from '@kubechain/apimachinery';
import type { TimerClock } from '@kubechain/apimachinery';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import { objectRules } from '../cel/object-rules.ts';
import { noneConverter } from '../conversion/object-converter.ts';
import { ServedCustomResource } from '../custom-resources/custom-resource.ts';
import { PartsInUse } from '../custom-resources/parts-in-use.ts';
import type { CustomResourceDefinition } from '../definition/crd-types.ts';

/** The objects of a definition as they are served, with all rules, without a server and whatever its conditions say. */
export function servedForTests(
  crd: CustomResourceDefinition,
  { clock, restOptions }: { readonly clock: TimerClock; readonly restOptions: RESTOptionsGetter },
): ServedCustomResource {
  return new ServedCustomResource(
    { crd, whole: () => crd },
    {
      restOptions,
      environment: { clock, ...systemRandomness },
      webhookConverter: () => noneConverter,
      rules: { extraRules: objectRules },
      schemasInUse: new PartsInUse({ clock, kept: 100, periodMs: 3_600_000 }),
    },
  );
}

import type { KubeObject, ManagedFieldsEntry } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { AdmissionAttributes } from '../../admission/admission.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { admit } from './admit.ts';
import type { RequestScope } from './request-scope.ts';

describe('managed fields after mutating admission', () => {
  const whole: ManagedFieldsEntry = {
    manager: 'a',
    operation: 'Update',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': {} },
  };
  /** What becomes of them where a plugin has put others there, and the warnings. */
  async function after(put: ManagedFieldsEntry): Promise<readonly unknown[]> {
    const warnings: string[] = [];
    const scope = {
      admission: {
        empty: false,
        handles: () => true,
        admit: ({ object }: AdmissionAttributes): void => {
          object!.metadata!.managedFields = [put];
        },
      },
    } as unknown as RequestScope;
    const context = { addWarning: (text: string) => void warnings.push(text) } as unknown as RequestContext;
    const object: KubeObject = { metadata: { name: 'x', managedFields: [whole] } };
    const admitted = await admit(scope, context, {
      operation: 'CREATE',
      namespace: '',
      name: 'x',
      object,
      oldObject: undefined,
      options: undefined,
      dryRun: false,
    });
    return [admitted.metadata?.managedFields?.[0]?.manager, ...warnings];
  }
  const warning =
    '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated ' +
    'mutating admission controller; please fix your requests: ';

  it('are put back where they cannot be read', async () => {
    const { fieldsType: _, ...typeless } = whole;
    expect(await after({ ...typeless, manager: 'b' })).to.deep.equal([
      'a',
      `${warning}missing fieldsType in managed fields entry 0`,
    ]);
    const { apiVersion: __, ...versionless } = whole;
    expect(await after({ ...versionless, manager: 'b' })).to.deep.equal([
      'a',
      `${warning}apiVersion must not be empty`,
    ]);
  });

  it('are what a plugin has made of them otherwise', async () => {
    expect(await after({ ...whole, manager: 'b' })).to.deep.equal(['b']);
  });
});

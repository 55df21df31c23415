import type { Deployment, ReplicaSet } from '@kubechain/apimachinery/types/apps/v1';
import { expect } from 'chai';
import { rollbackOf, rolledBack } from './rollback.ts';

const revision = 'deployment.kubernetes.io/revision';
const rollback = 'deprecated.deployment.rollback.to';

function template(image: string, labels: Readonly<Record<string, string>> = {}): object {
  return { metadata: { labels: { a: 'b', ...labels } }, spec: { containers: [{ name: 'c', image }] } };
}

function set(image: string, number: string): ReplicaSet {
  const labels = { 'pod-template-hash': number };
  const annotations = { [revision]: number, 'kubernetes.io/change-cause': `to ${image}` };
  return { metadata: { name: image, annotations }, spec: { selector: {}, template: template(image, labels) } };
}

function deployment(image: string, annotations: Readonly<Record<string, string>>): Deployment {
  return { metadata: { name: 'd', annotations }, spec: { selector: {}, template: template(image) } };
}

describe('a rollback of a deployment', () => {
  const sets = [set('one', '1'), set('two', '2'), set('three', '3')];
  const now = deployment('three', { [revision]: '3', [rollback]: '1', 'kubernetes.io/change-cause': 'to three' });
  const outcome = (asked: bigint, given = sets): readonly (string | undefined)[] => {
    const { deployment: after, event } = rolledBack(now, given, asked);
    return [after.spec?.template.spec?.containers[0]?.image, event.reason, event.message];
  };

  it('is asked for by a whole number', () => {
    const asked = ['', 'x', '0', '12'].map((text) => rollbackOf(deployment('x', { [rollback]: text })));
    expect([...asked, rollbackOf(deployment('x', {}))]).to.deep.equal([undefined, undefined, 0n, 12n, undefined]);
  });
  it('goes to a revision', () => {
    expect(outcome(1n)).to.deep.equal(['one', 'DeploymentRollback', 'Rolled back deployment "d" to revision 1']);
  });
  it('goes to the last revision but one where it names none', () => {
    expect(outcome(0n)).to.deep.equal(['two', 'DeploymentRollback', 'Rolled back deployment "d" to revision 2']);
  });
  it('does not know a revision that is gone', () => {
    const message = 'Unable to find the revision to rollback to.';
    expect(outcome(9n)).to.deep.equal(['three', 'DeploymentRollbackRevisionNotFound', message]);
  });
  it('does not know the last revision of a deployment with one', () => {
    expect(outcome(0n, [set('three', '1')]).slice(1)).to.deep.equal([
      'DeploymentRollbackRevisionNotFound',
      'Unable to find last revision.',
    ]);
  });
  it('does nothing where the template is that of now', () => {
    expect(outcome(3n)[1]).to.equal('DeploymentRollbackTemplateUnchanged');
  });
  it('takes annotations of the set, keeps its own, and asks no more', () => {
    expect(rolledBack(now, sets, 1n).deployment.metadata?.annotations).to.deep.equal({
      [revision]: '3',
      'kubernetes.io/change-cause': 'to one',
    });
  });
  it('leaves the label of the set behind', () => {
    expect(rolledBack(now, sets, 1n).deployment.spec?.template.metadata?.labels).to.deep.equal({ a: 'b' });
  });
});

import { expect } from 'chai';
import { FieldPath } from './field-path.ts';

describe('FieldPath', () => {
  it('is printed as upstream prints it', () => {
    const containers = FieldPath.of('spec', 'containers');
    expect(String(containers.index(0).child('env').key('a.b'))).to.equal('spec.containers[0].env[a.b]');
    expect(String(containers.child('', 'name'))).to.equal('spec.containers[].name');
    expect(String(FieldPath.root.index(3).child('a'))).to.equal('[3].a');
    expect(String(FieldPath.root)).to.equal('<nil>');
  });

  it('may have more steps than the call stack holds', () => {
    let path = FieldPath.root;
    for (let i = 0; i < 100_000; i++) path = path.child('a');
    expect(String(path)).to.have.length(199_999);
  });
});

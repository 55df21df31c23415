import {
  compileExpression,
  deviceEnvironment,
  deviceValue,
  isCelError,
  isCompileFailure,
  type Program,
} from '@kubechain/cel';
import type { DeviceSelector } from '@kubechain/apimachinery/types/resource/v1';
import { LRUMap } from '@kubechain/apimachinery';
import type { OfferedDevice } from './device-pools.ts';

/** CELSelectorExpressionMaxCost, 1.36. */
const maxCost = 1_000_000;
const maxKept = 100;

/** An expression cannot be compiled, or fails for a device. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}

/** Expressions that select devices, compiled once. */
export class DeviceSelectors {
  readonly #programs = new LRUMap<string, Program>(maxKept);

  /** Whether a device meets all of them, which are those of `owner`. @throws SelectorError */
  matchesAll(selectors: readonly DeviceSelector[], { device, slice }: OfferedDevice, owner: string): boolean {
    return selectors.every(({ cel }, i) => {
      const where = `${owner}: selector #${i}`;
      if (cel === undefined) throw new SelectorError(`${where}: CEL expression empty (unsupported selector type?)`);
      const { exceeded, result } = this.#compiled(cel.expression, where).run(
        [deviceValue({ driver: slice.spec.driver, ...device })],
        maxCost,
      );
      if (exceeded)
        throw new SelectorError(`${where}: CEL runtime error: operation cancelled: actual cost limit exceeded`);
      if (isCelError(result)) throw new SelectorError(`${where}: CEL runtime error: ${result.message}`);
      return result === true;
    });
  }

  #compiled(expression: string, where: string): Program {
    const known = this.#programs.get(expression);
    if (known !== undefined) return known;
    const program = compileExpression(expression, deviceEnvironment);
    if (isCompileFailure(program)) throw new SelectorError(`${where}: CEL compile error: ${program.text}`);
    this.#programs.set(expression, program);
    return program;
  }
}

import { stringify } from 'yaml';
import { layoutV2, layoutV3 } from './layout.ts';
import type { FieldKind, MessageLayout } from './layout.ts';
import { MessageWriter } from './message-writer.ts';

type JSONObject = Readonly<Record<string, unknown>>;

/** A version 2 document as the protobuf message that kubectl before 1.27 reads. */
export function encodeV2(document: object): Buffer {
  return new Encoder(layoutV2, 2).document(document as JSONObject);
}

/** A version 3 document as protobuf, which client-go's typed OpenAPI client asks for. */
export function encodeV3(document: object): Buffer {
  return new Encoder(layoutV3, 3).document(document as JSONObject);
}

/** Writes from the end, as the writer does: members and items in reverse. */
class Encoder {
  readonly #layouts: Readonly<Record<string, MessageLayout>>;
  readonly #version: 2 | 3;
  readonly #texts = new Map<string, string>();

  constructor(layouts: Readonly<Record<string, MessageLayout>>, version: 2 | 3) {
    this.#layouts = layouts;
    this.#version = version;
  }

  document(document: JSONObject): Buffer {
    const writer = new MessageWriter();
    this.#write(writer, document, 'Document');
    return writer.finish();
  }

  #write(writer: MessageWriter, object: JSONObject, message: string): void {
    if (message.endsWith('OrReference')) {
      const isReference = typeof object['$ref'] === 'string';
      writer.message(isReference ? 2 : 1, (inner) => {
        this.#write(inner, object, isReference ? 'Reference' : message.slice(0, -'OrReference'.length));
      });
      return;
    }
    if (message === 'Parameter' && this.#version === 2) {
      this.#parameterV2(writer, object);
      return;
    }
    if (message === 'SecurityDefinitionsItem') {
      const isKey = object['type'] === 'apiKey';
      writer.message(isKey ? 2 : 1, (inner) => {
        this.#write(inner, object, isKey ? 'ApiKeySecurity' : 'BasicAuthenticationSecurity');
      });
      return;
    }
    const layout = this.#layouts[message];
    if (layout === undefined) return;
    for (const [name, value] of Object.entries(object).toReversed()) {
      const field = layout.fields[name];
      if (field !== undefined) this.#field(writer, field, value);
      else if (layout.extensions !== undefined && name.startsWith('x-'))
        this.#named(writer, layout.extensions, name, (inner) => {
          this.#any(inner, 2, value);
        });
    }
  }

  #field(writer: MessageWriter, [number, kind]: readonly [number, FieldKind], value: unknown): void {
    if (typeof kind === 'object') {
      if ('message' in kind)
        writer.message(number, (inner) => {
          this.#write(inner, value as JSONObject, kind.message);
        });
      else if ('messages' in kind)
        for (const item of (value as JSONObject[]).toReversed())
          writer.message(number, (inner) => {
            this.#write(inner, item, kind.messages);
          });
      else if ('map' in kind)
        writer.message(number, (inner) => {
          this.#entries(inner, 1, value as JSONObject, kind.map);
        });
      else this.#custom(writer, number, kind.custom, value);
      return;
    }
    switch (kind) {
      case 'string':
        writer.string(number, value);
        break;
      case 'strings':
        writer.strings(number, value);
        break;
      case 'boolean':
        writer.boolean(number, value);
        break;
      case 'integer':
        writer.integer(number, value);
        break;
      case 'double':
        writer.double(number, value);
        break;
      case 'any':
        this.#any(writer, number, value);
        break;
      case 'anys':
        for (const item of (value as unknown[]).toReversed()) this.#any(writer, number, item);
        break;
      default:
        kind satisfies never;
    }
  }

  /** Shapes that JSON and protobuf write differently. */
  #custom(writer: MessageWriter, number: number, name: string, value: unknown): void {
    switch (name) {
      case 'paths':
        writer.message(number, (inner) => {
          this.#entries(inner, this.#version === 2 ? 2 : 1, value as JSONObject, 'PathItem');
        });
        break;
      case 'parameters':
        for (const item of (value as JSONObject[]).toReversed())
          writer.message(number, (inner) => {
            this.#parametersItem(inner, item);
          });
        break;
      case 'responses':
        writer.message(number, (inner) => {
          this.#responses(inner, value as JSONObject);
        });
        break;
      case 'schemaItem':
        writer.message(number, (inner) => {
          inner.message(1, (schema) => {
            this.#write(schema, value as JSONObject, 'Schema');
          });
        });
        break;
      case 'security':
        for (const requirement of (value as JSONObject[]).toReversed())
          writer.message(number, (inner) => {
            for (const [scheme, scopes] of Object.entries(requirement).toReversed())
              this.#named(inner, 1, scheme, (entry) => {
                entry.message(2, (array) => {
                  array.strings(1, scopes);
                });
              });
          });
        break;
      case 'type':
        writer.message(number, (inner) => {
          inner.strings(1, Array.isArray(value) ? value : [value]);
        });
        break;
      case 'items':
        writer.message(number, (inner) => {
          for (const item of Array.isArray(value) ? (value as JSONObject[]).toReversed() : [value as JSONObject])
            inner.message(1, (schema) => {
              this.#write(schema, item, this.#schema);
            });
        });
        break;
      case 'additionalProperties':
        writer.message(number, (inner) => {
          if (typeof value === 'boolean') inner.explicitBoolean(2, value);
          else
            inner.message(1, (schema) => {
              this.#write(schema, value as JSONObject, this.#schema);
            });
        });
        break;
      case 'default':
        // Version 3 has no place for objects and arrays here: they are there, and empty. Zero values are written.
        writer.message(number, (inner) => {
          if (typeof value === 'number') inner.explicitDouble(1, value);
          else if (typeof value === 'boolean') inner.explicitBoolean(2, value);
          else if (typeof value === 'string') inner.explicitString(3, value);
        });
        break;
      default:
        break;
    }
  }

  get #schema(): string {
    return this.#version === 2 ? 'Schema' : 'SchemaOrReference';
  }

  #entries(writer: MessageWriter, number: number, value: JSONObject, message: string): void {
    for (const [name, item] of Object.entries(value).toReversed())
      this.#named(writer, number, name, (entry) => {
        entry.message(2, (inner) => {
          this.#write(inner, item as JSONObject, message);
        });
      });
  }

  #named(writer: MessageWriter, number: number, name: string, write: (entry: MessageWriter) => void): void {
    writer.message(number, (entry) => {
      write(entry);
      entry.string(1, name);
    });
  }

  #parametersItem(writer: MessageWriter, item: JSONObject): void {
    if (typeof item['$ref'] === 'string')
      writer.message(2, (inner) => {
        this.#write(inner, item, 'JsonReference');
      });
    else
      writer.message(1, (inner) => {
        this.#parameterV2(inner, item);
      });
  }

  #parameterV2(writer: MessageWriter, item: JSONObject): void {
    if (item['in'] === 'body')
      writer.message(1, (inner) => {
        this.#write(inner, item, 'BodyParameter');
      });
    else if (item['in'] === 'path')
      writer.message(2, (inner) => {
        inner.message(4, (path) => {
          this.#write(path, item, 'PathParameter');
        });
      });
    else if (item['in'] === 'query')
      writer.message(2, (inner) => {
        inner.message(3, (query) => {
          this.#write(query, item, 'QueryParameter');
        });
      });
  }

  #responses(writer: MessageWriter, responses: JSONObject): void {
    for (const [code, response] of Object.entries(responses).toReversed()) {
      const write = (inner: MessageWriter): void => {
        if (this.#version === 3) this.#write(inner, response as JSONObject, 'ResponseOrReference');
        else if (typeof (response as JSONObject)['$ref'] === 'string')
          inner.message(2, (reference) => {
            this.#write(reference, response as JSONObject, 'JsonReference');
          });
        else
          inner.message(1, (plain) => {
            this.#write(plain, response as JSONObject, 'Response');
          });
      };
      if (this.#version === 3 && code === 'default') writer.message(1, write);
      else
        this.#named(writer, this.#version === 2 ? 1 : 2, code, (entry) => {
          entry.message(2, write);
        });
    }
  }

  /** Any value, as YAML text. Few values make up thousands of extensions: their texts are made once. */
  #any(writer: MessageWriter, number: number, value: unknown): void {
    const key = JSON.stringify(value);
    let text = this.#texts.get(key);
    if (text === undefined) this.#texts.set(key, (text = stringify(value, { lineWidth: 0, indentSeq: false })));
    const yaml = text;
    writer.message(number, (inner) => {
      inner.string(2, yaml);
    });
  }
}

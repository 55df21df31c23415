/** How a member of a JSON object is written. */
export type FieldKind =
  | 'string'
  | 'strings'
  | 'boolean'
  | 'integer'
  | 'double'
  | 'any'
  | 'anys'
  | { readonly message: string }
  | { readonly messages: string }
  | { readonly map: string }
  | { readonly custom: string };

/** A message: members by JSON name with their numbers, and the number of `x-` members. */
export interface MessageLayout {
  readonly fields: Readonly<Record<string, readonly [number: number, kind: FieldKind]>>;
  readonly extensions?: number;
}

const one = (message: string): FieldKind => ({ message });
const many = (messages: string): FieldKind => ({ messages });
const map = (value: string): FieldKind => ({ map: value });
const custom = (name: string): FieldKind => ({ custom: name });

/** openapi.v2 of google/gnostic-models (OpenAPIv2.proto), as far as documents of API servers use it. */
export const layoutV2: Readonly<Record<string, MessageLayout>> = {
  Document: {
    fields: {
      swagger: [1, 'string'],
      info: [2, one('Info')],
      host: [3, 'string'],
      basePath: [4, 'string'],
      schemes: [5, 'strings'],
      consumes: [6, 'strings'],
      produces: [7, 'strings'],
      paths: [8, custom('paths')],
      definitions: [9, map('Schema')],
      parameters: [10, map('Parameter')],
      responses: [11, map('Response')],
      security: [12, custom('security')],
      securityDefinitions: [13, map('SecurityDefinitionsItem')],
      tags: [14, many('Tag')],
      externalDocs: [15, one('ExternalDocs')],
    },
    extensions: 16,
  },
  Info: {
    fields: {
      title: [1, 'string'],
      version: [2, 'string'],
      description: [3, 'string'],
      termsOfService: [4, 'string'],
      contact: [5, one('Contact')],
      license: [6, one('License')],
    },
    extensions: 7,
  },
  Contact: { fields: { name: [1, 'string'], url: [2, 'string'], email: [3, 'string'] }, extensions: 4 },
  License: { fields: { name: [1, 'string'], url: [2, 'string'] }, extensions: 3 },
  Tag: {
    fields: { name: [1, 'string'], description: [2, 'string'], externalDocs: [3, one('ExternalDocs')] },
    extensions: 4,
  },
  ExternalDocs: { fields: { description: [1, 'string'], url: [2, 'string'] }, extensions: 3 },
  PathItem: {
    fields: {
      $ref: [1, 'string'],
      get: [2, one('Operation')],
      put: [3, one('Operation')],
      post: [4, one('Operation')],
      delete: [5, one('Operation')],
      options: [6, one('Operation')],
      head: [7, one('Operation')],
      patch: [8, one('Operation')],
      parameters: [9, custom('parameters')],
    },
    extensions: 10,
  },
  Operation: {
    fields: {
      tags: [1, 'strings'],
      summary: [2, 'string'],
      description: [3, 'string'],
      externalDocs: [4, one('ExternalDocs')],
      operationId: [5, 'string'],
      produces: [6, 'strings'],
      consumes: [7, 'strings'],
      parameters: [8, custom('parameters')],
      responses: [9, custom('responses')],
      schemes: [10, 'strings'],
      deprecated: [11, 'boolean'],
      security: [12, custom('security')],
    },
    extensions: 13,
  },
  BodyParameter: {
    fields: {
      description: [1, 'string'],
      name: [2, 'string'],
      in: [3, 'string'],
      required: [4, 'boolean'],
      schema: [5, one('Schema')],
    },
    extensions: 6,
  },
  PathParameter: {
    fields: {
      required: [1, 'boolean'],
      in: [2, 'string'],
      description: [3, 'string'],
      name: [4, 'string'],
      type: [5, 'string'],
      format: [6, 'string'],
      collectionFormat: [8, 'string'],
      default: [9, 'any'],
      maximum: [10, 'double'],
      exclusiveMaximum: [11, 'boolean'],
      minimum: [12, 'double'],
      exclusiveMinimum: [13, 'boolean'],
      maxLength: [14, 'integer'],
      minLength: [15, 'integer'],
      pattern: [16, 'string'],
      maxItems: [17, 'integer'],
      minItems: [18, 'integer'],
      uniqueItems: [19, 'boolean'],
      enum: [20, 'anys'],
      multipleOf: [21, 'double'],
    },
    extensions: 22,
  },
  QueryParameter: {
    fields: {
      required: [1, 'boolean'],
      in: [2, 'string'],
      description: [3, 'string'],
      name: [4, 'string'],
      allowEmptyValue: [5, 'boolean'],
      type: [6, 'string'],
      format: [7, 'string'],
      collectionFormat: [9, 'string'],
      default: [10, 'any'],
      maximum: [11, 'double'],
      exclusiveMaximum: [12, 'boolean'],
      minimum: [13, 'double'],
      exclusiveMinimum: [14, 'boolean'],
      maxLength: [15, 'integer'],
      minLength: [16, 'integer'],
      pattern: [17, 'string'],
      maxItems: [18, 'integer'],
      minItems: [19, 'integer'],
      uniqueItems: [20, 'boolean'],
      enum: [21, 'anys'],
      multipleOf: [22, 'double'],
    },
    extensions: 23,
  },
  JsonReference: { fields: { $ref: [1, 'string'], description: [2, 'string'] } },
  Response: { fields: { description: [1, 'string'], schema: [2, custom('schemaItem')] }, extensions: 5 },
  ApiKeySecurity: {
    fields: { type: [1, 'string'], name: [2, 'string'], in: [3, 'string'], description: [4, 'string'] },
    extensions: 5,
  },
  BasicAuthenticationSecurity: { fields: { type: [1, 'string'], description: [2, 'string'] }, extensions: 3 },
  Schema: {
    fields: {
      $ref: [1, 'string'],
      format: [2, 'string'],
      title: [3, 'string'],
      description: [4, 'string'],
      default: [5, 'any'],
      multipleOf: [6, 'double'],
      maximum: [7, 'double'],
      exclusiveMaximum: [8, 'boolean'],
      minimum: [9, 'double'],
      exclusiveMinimum: [10, 'boolean'],
      maxLength: [11, 'integer'],
      minLength: [12, 'integer'],
      pattern: [13, 'string'],
      maxItems: [14, 'integer'],
      minItems: [15, 'integer'],
      uniqueItems: [16, 'boolean'],
      maxProperties: [17, 'integer'],
      minProperties: [18, 'integer'],
      required: [19, 'strings'],
      enum: [20, 'anys'],
      additionalProperties: [21, custom('additionalProperties')],
      type: [22, custom('type')],
      items: [23, custom('items')],
      allOf: [24, many('Schema')],
      properties: [25, map('Schema')],
      discriminator: [26, 'string'],
      readOnly: [27, 'boolean'],
      externalDocs: [29, one('ExternalDocs')],
      example: [30, 'any'],
    },
    extensions: 31,
  },
};

/** openapi.v3 of google/gnostic-models (OpenAPIv3.proto), as far as documents of API servers use it. */
export const layoutV3: Readonly<Record<string, MessageLayout>> = {
  Document: {
    fields: {
      openapi: [1, 'string'],
      info: [2, one('Info')],
      paths: [4, custom('paths')],
      components: [5, one('Components')],
      tags: [7, many('Tag')],
      externalDocs: [8, one('ExternalDocs')],
    },
    extensions: 9,
  },
  Info: {
    fields: {
      title: [1, 'string'],
      description: [2, 'string'],
      termsOfService: [3, 'string'],
      version: [6, 'string'],
      summary: [8, 'string'],
    },
    extensions: 7,
  },
  Tag: {
    fields: { name: [1, 'string'], description: [2, 'string'], externalDocs: [3, one('ExternalDocs')] },
    extensions: 4,
  },
  ExternalDocs: { fields: { description: [1, 'string'], url: [2, 'string'] }, extensions: 3 },
  Components: {
    fields: {
      schemas: [1, map('SchemaOrReference')],
      responses: [2, map('ResponseOrReference')],
      parameters: [3, map('ParameterOrReference')],
      requestBodies: [5, map('RequestBodyOrReference')],
      securitySchemes: [7, map('SecuritySchemeOrReference')],
    },
    extensions: 10,
  },
  PathItem: {
    fields: {
      $ref: [1, 'string'],
      summary: [2, 'string'],
      description: [3, 'string'],
      get: [4, one('Operation')],
      put: [5, one('Operation')],
      post: [6, one('Operation')],
      delete: [7, one('Operation')],
      options: [8, one('Operation')],
      head: [9, one('Operation')],
      patch: [10, one('Operation')],
      trace: [11, one('Operation')],
      parameters: [13, many('ParameterOrReference')],
    },
    extensions: 14,
  },
  Operation: {
    fields: {
      tags: [1, 'strings'],
      summary: [2, 'string'],
      description: [3, 'string'],
      externalDocs: [4, one('ExternalDocs')],
      operationId: [5, 'string'],
      parameters: [6, many('ParameterOrReference')],
      requestBody: [7, one('RequestBodyOrReference')],
      responses: [8, custom('responses')],
      deprecated: [10, 'boolean'],
    },
    extensions: 13,
  },
  Parameter: {
    fields: {
      name: [1, 'string'],
      in: [2, 'string'],
      description: [3, 'string'],
      required: [4, 'boolean'],
      deprecated: [5, 'boolean'],
      allowEmptyValue: [6, 'boolean'],
      style: [7, 'string'],
      explode: [8, 'boolean'],
      allowReserved: [9, 'boolean'],
      schema: [10, one('SchemaOrReference')],
      example: [11, 'any'],
      content: [13, map('MediaType')],
    },
    extensions: 14,
  },
  RequestBody: {
    fields: { description: [1, 'string'], content: [2, map('MediaType')], required: [3, 'boolean'] },
    extensions: 4,
  },
  Response: { fields: { description: [1, 'string'], content: [3, map('MediaType')] }, extensions: 5 },
  MediaType: { fields: { schema: [1, one('SchemaOrReference')], example: [2, 'any'] }, extensions: 5 },
  SecurityScheme: {
    fields: {
      type: [1, 'string'],
      description: [2, 'string'],
      name: [3, 'string'],
      in: [4, 'string'],
      scheme: [5, 'string'],
      bearerFormat: [6, 'string'],
      openIdConnectUrl: [8, 'string'],
    },
    extensions: 9,
  },
  Reference: { fields: { $ref: [1, 'string'], summary: [2, 'string'], description: [3, 'string'] } },
  Schema: {
    fields: {
      nullable: [1, 'boolean'],
      readOnly: [3, 'boolean'],
      writeOnly: [4, 'boolean'],
      externalDocs: [6, one('ExternalDocs')],
      example: [7, 'any'],
      deprecated: [8, 'boolean'],
      title: [9, 'string'],
      multipleOf: [10, 'double'],
      maximum: [11, 'double'],
      exclusiveMaximum: [12, 'boolean'],
      minimum: [13, 'double'],
      exclusiveMinimum: [14, 'boolean'],
      maxLength: [15, 'integer'],
      minLength: [16, 'integer'],
      pattern: [17, 'string'],
      maxItems: [18, 'integer'],
      minItems: [19, 'integer'],
      uniqueItems: [20, 'boolean'],
      maxProperties: [21, 'integer'],
      minProperties: [22, 'integer'],
      required: [23, 'strings'],
      enum: [24, 'anys'],
      type: [25, 'string'],
      allOf: [26, many('SchemaOrReference')],
      oneOf: [27, many('SchemaOrReference')],
      anyOf: [28, many('SchemaOrReference')],
      not: [29, one('Schema')],
      items: [30, custom('items')],
      properties: [31, map('SchemaOrReference')],
      additionalProperties: [32, custom('additionalProperties')],
      default: [33, custom('default')],
      description: [34, 'string'],
      format: [35, 'string'],
    },
    extensions: 36,
  },
};

/** What is written into the contract for an operation, as it would be written by hand. */
import type { Naming } from './naming.ts'

type Json = Record<string, unknown>

export interface ContractParts {
  operation: Json
  /** By their names. */
  schemas: Json
  /** What a key with its scope may do. */
  scopeMeaning: string
  /** The code of an error that comes with it, and what it means. */
  error: { code: string; meaning: string } | undefined
}

const idSuffix = '01KAJ0R6W8Z3T5V7X9Y1B2C4D6'
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
export const exampleName = 'First'

const component = (section: string, name: string) => ({ $ref: `#/components/${section}/${name}` })
const schema = (name: string) => component('schemas', name)
const header = (name: string) => component('headers', name)
const traced = { 'X-Trace-Id': header('TraceIdHeader') }
const replayed = { ...traced, 'Idempotent-Replayed': header('IdempotentReplayedHeader') }

/** The id of the one that examples have. */
export const exampleId = ({ field }: Pick<Naming, 'field'>): string => `${field}_${idSuffix}`

export const notFoundCode = ({ field }: Naming): string => `${field}_not_found`

/** @param dialect whether the contract is in OpenAPI 3.1, which writes what may be null in another way */
export function buildContractParts(naming: Naming, tag: string, dialect: '3.0' | '3.1'): ContractParts {
  const { verb, operationId, one, many } = naming
  const { operation, schemas } = { list, get, create }[verb](naming, dialect)
  const meaning = `no ${one} of this account and mode has that id. Use a key of the mode that created it.`
  return {
    operation: { operationId, tags: [tag], ...operation },
    schemas: { ...schemas, ...shared(naming) },
    scopeMeaning: verb === 'create' ? `Create ${many}.` : `Read and list ${many}.`,
    error: verb === 'get' ? { code: notFoundCode(naming), meaning } : undefined,
  }
}

interface Made {
  operation: Json
  schemas: Json
}

function list(naming: Naming, dialect: '3.0' | '3.1'): Made {
  const { type, types, many, fields, scope } = naming
  return {
    operation: {
      summary: `List ${many}`,
      description: `Lists the ${many} of the account in the mode of the key. Continue with \`after\` until \`next\` is null.\n`,
      'x-required-scope': scope,
      parameters: [
        {
          name: 'limit',
          in: 'query',
          required: false,
          description: `How many ${many} a page has at most.`,
          schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
          example: 20,
        },
        {
          name: 'after',
          in: 'query',
          required: false,
          description: 'The `next` of the previous page. Keep the other parameters the same.',
          schema: schema(`${type}Id`),
          example: exampleId(naming),
        },
      ],
      responses: {
        200: answer(`A page of ${many}.`, traced, `List${types}Reply`, {
          page: said('The only page', { [fields]: [example(naming)], next: null }),
          end: said('Nothing follows', { [fields]: [], next: null }),
        }),
        400: answer('A parameter is invalid, repeated or unknown.', traced, 'InvalidRequestError', {
          invalid_request: invalid('Too many at once', 'query:limit', 'too_large', 'must be at most 100'),
        }),
        ...refusals(naming, 'Nothing was read.'),
      },
    },
    schemas: {
      [`List${types}Reply`]: reply(`${type}Page`),
      [`${type}Page`]: page(naming, dialect),
    },
  }
}

function page(naming: Naming, dialect: '3.0' | '3.1'): Json {
  const { type, many, one, fields } = naming
  return {
    type: 'object',
    description: `${sentence(many)}, and where the next page begins.`,
    required: [fields, 'next'],
    properties: {
      [fields]: {
        type: 'array',
        description: 'At most `limit` of them.',
        maxItems: 100,
        items: schema(type),
      },
      next: {
        ...(dialect === '3.0' ? { type: 'string', nullable: true } : { type: ['string', 'null'] }),
        description: `The \`after\` of the next page, the id of the last ${one} on this one; null at the end.`,
        minLength: 1,
        maxLength: 64,
        example: exampleId(naming),
      },
    },
  }
}

function get(naming: Naming): Made {
  const { type, one, scope } = naming
  return {
    operation: {
      summary: `Get ${article(one)}`,
      description: `Finds ${article(one)} of the account in the mode of the key.\n`,
      'x-required-scope': scope,
      parameters: [
        {
          name: 'id',
          in: 'path',
          required: true,
          description: `The id of the ${one}.`,
          schema: schema(`${type}Id`),
          example: exampleId(naming),
        },
      ],
      responses: {
        200: answer(`The ${one}.`, traced, `Get${type}Reply`, { found: said('It is there', example(naming)) }),
        400: answer('The id is malformed.', traced, 'InvalidRequestError', {
          invalid_request: invalid('Longer than any id', 'path:id', 'too_long', 'must have at most 64 characters'),
        }),
        ...refusals(naming, 'Nothing was read.'),
        404: answer(`No ${one} of this account and mode has that id.`, traced, `${type}NotFoundError`, {
          [notFoundCode(naming)]: refused(
            'Unknown here',
            notFoundCode(naming),
            `This account has no ${one} with that id.`,
          ),
        }),
      },
    },
    schemas: { [`Get${type}Reply`]: reply(type), ...notFound(naming) },
  }
}

function create(naming: Naming): Made {
  const { type, one, scope } = naming
  return {
    operation: {
      summary: `Create ${article(one)}`,
      description: `Creates ${article(one)} of the account in the mode of the key.\n`,
      'x-required-scope': scope,
      parameters: [component('parameters', 'IdempotencyKey')],
      requestBody: {
        required: true,
        description: `The ${one}.`,
        content: {
          'application/json': {
            schema: schema(`Create${type}Request`),
            examples: { created: { summary: 'With a name', value: { name: exampleName } } },
          },
        },
      },
      responses: {
        200: answer(`The ${one} is created.`, replayed, `Create${type}Reply`, {
          created: said('It is new', example(naming)),
        }),
        400: answer('The body or a header is invalid.', traced, 'InvalidBodyError', {
          invalid_request: invalid('Without a name', '/name', 'missing', 'is required'),
          invalid_json: component('examples', 'InvalidJson'),
        }),
        ...refusals(naming, 'Nothing was done.'),
        409: component('responses', 'IdempotencyConflict'),
        413: component('responses', 'BodyTooLarge'),
        415: component('responses', 'UnsupportedMediaType'),
      },
    },
    schemas: {
      [`Create${type}Request`]: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: { name: schema(`${type}Name`) },
      },
      [`Create${type}Reply`]: reply(type),
    },
  }
}

/** What all operations of a noun share. */
function shared({ type, one, field }: Naming): Json {
  return {
    [type]: {
      type: 'object',
      description: `${sentence(article(one))}.`,
      required: ['id', 'name'],
      properties: { id: schema(`${type}Id`), name: schema(`${type}Name`) },
    },
    [`${type}Id`]: {
      type: 'string',
      description: `The id of ${article(one)}.`,
      minLength: 1,
      maxLength: 64,
      example: exampleId({ field }),
    },
    [`${type}Name`]: {
      type: 'string',
      description: `The name of ${article(one)}.`,
      minLength: 1,
      maxLength: 80,
      example: exampleName,
    },
  }
}

function notFound(naming: Naming): Json {
  const { type, one } = naming
  const code = notFoundCode(naming)
  const description = `No ${one} of this account and mode has that id.`
  return {
    [`${type}NotFoundError`]: { type: 'object', description, ...reply(`${type}NotFoundProblem`, false) },
    [`${type}NotFoundProblem`]: {
      type: 'object',
      description,
      required: ['code', 'message', 'trace_id'],
      properties: {
        code: {
          type: 'string',
          description:
            'See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.\n',
          'x-may-grow': true,
          enum: [code],
          example: code,
        },
        message: schema('ErrorMessage'),
        trace_id: schema('TraceId'),
      },
    },
  }
}

function reply(data: string, success = true): Json {
  return {
    type: 'object',
    required: ['success', 'data'],
    properties: {
      success: { type: 'boolean', description: `Always \`${success}\`.`, 'x-always': success, example: success },
      data: schema(data),
    },
  }
}

function refusals({ scope, many, verb }: Naming, nothingDone: string): Json {
  const [may, message] = [verb === 'create' ? 'create' : 'read', `This key lacks the scope ${scope}.`]
  return {
    401: component('responses', 'Unauthorized'),
    403: answer(`The key lacks the scope \`${scope}\`.`, traced, 'InsufficientScopeError', {
      insufficient_scope: refused(`The key may not ${may} ${many}`, 'insufficient_scope', message),
    }),
    429: answer(
      `The key sent too many requests. ${nothingDone}`,
      { ...traced, 'Retry-After': header('RetryAfterHeader') },
      'RateLimitedError',
      { rate_limited: component('examples', 'RateLimited') },
    ),
    500: component('responses', 'InternalError'),
    503: component('responses', 'ServiceUnavailable'),
  }
}

function answer(description: string, headers: Json, name: string, examples: Json): Json {
  return { description, headers, content: { 'application/json': { schema: schema(name), examples } } }
}

const example = (naming: Naming) => ({ id: exampleId(naming), name: exampleName })

const said = (summary: string, data: object) => ({ summary, value: { success: true, data } })

function refused(summary: string, code: string, message: string, details?: object[]) {
  const data = { code, message, ...(details && { details }), trace_id: traceId }
  return { summary, value: { success: false, data } }
}

function invalid(summary: string, field: string, code: string, message: string) {
  const said = 'The request does not match the contract; details names every fault.'
  return refused(summary, 'invalid_request', said, [{ field, code, message }])
}

const article = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
const sentence = (text: string) => text[0]!.toUpperCase() + text.slice(1)

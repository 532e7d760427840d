import { expect, it } from 'vitest'
import { readProtectionFile } from '../../src/domain/protection/protectionFile.ts'

const told = (text: string) => readProtectionFile(text).faults?.map(({ path, fault }) => [path.join('.'), fault])

it('a member that is not there is told as missing, and a wrong one as wrong', () => {
  expect(told('- { by: country, allow: all }')).toEqual([
    ['0.id', 'is missing'],
    ['0.do', 'is missing'],
  ])
  expect(told('- { id: 7, by: country, allow: all, do: stop }')).toEqual([
    ['0.id', 'must be a text'],
    ['0.do', 'must be record, challenge or block'],
  ])
})

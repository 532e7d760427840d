/** Small pictures: strokes on a square of 16, in the colour of the text beside them. They say nothing that words do not. */
import { Html } from '../../html.ts'

const paths = {
  overview: 'M2 13.5h12M4 11V8M8 11V3M12 11V6',
  message: 'M2 3.5h12v8H7l-3 2.5V11.5H2z',
  key: 'M10 2.5a3.5 3.5 0 1 1-2.6 5.8L3 12.7V14H1.5v-2.2l5-5A3.5 3.5 0 0 1 10 2.5zM10.6 5.4h.01',
  webhook: 'M2 8h7M6.500 4.500L10 8l-3.500 3.500M13.500 3v10',
  inlet: 'M14 8H7M9.500 4.500L6 8l3.500 3.500M2.500 3v10',
  phone: 'M4.500 1.500h7v13h-7zM7 12.500h2',
  template: 'M3 1.500h7l3 3v10H3zM5.500 7h5M5.500 10h5',
  optOut: 'M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM3.800 3.800l8.400 8.400',
  wording: 'M1.500 13l4-10 4 10M3 9.500h5M11 6.500h4M13 6.500v6.500',
  channel: 'M2 6.500l12-5-4 13-3-5zM14 1.500l-7 8',
  protection: 'M8 1.500l5.500 2v4c0 3.500-2.500 5.700-5.500 7-3-1.300-5.500-3.500-5.500-7v-4zM5.500 8l2 2 3.500-4',
  people:
    'M6 8a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM1.500 13.500c0-2.500 2-4 4.500-4s4.500 1.500 4.500 4M11 3.200a2.500 2.500 0 0 1 0 4.600M12 9.800c1.500.500 2.500 1.700 2.500 3.700',
  person: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.500 14c0-3 2.500-4.500 5.500-4.500s5.500 1.500 5.500 4.500',
  audit: 'M3 1.500h10v13H3zM5.500 5h5M5.500 8h5M5.500 11h3',
  menu: 'M2 4h12M2 8h12M2 12h12',
  done: 'M2.500 8.500l3.500 3.500 7.500-8',
  fault: 'M8 2.500v7M8 12.500v.01',
  copy: 'M5.500 5.500v-3h8v8h-3M2.500 5.500h8v8h-8z',
  back: 'M9.500 3L4.500 8l5 5',
  next: 'M6.500 3l5 5-5 5',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.700 10.700L14 14',
} as const

export type IconName = keyof typeof paths

export function iconOf(name: IconName): Html {
  return new Html(`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${paths[name]}"/></svg>`)
}

/** What is used of highlight.js. Its own types would bring those of a browser's page into the whole service. */
export interface Highlighter {
  registerLanguage: (name: string, language: Grammar) => void
  highlight: (code: string, options: { language: string }) => { value: string }
}

/** How a language is written. */
export type Grammar = (highlighter: Highlighter) => object

declare const part: Highlighter & Grammar
export default part

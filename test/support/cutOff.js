/**
 * Runs in a page that is shown: what of it cannot be read whole, a line each.
 *
 * @param longest characters of a word that must not be broken
 */
export function findCutOff(longest) {
  const faults = new Set()
  const { scrollWidth } = document.documentElement
  if (scrollWidth > innerWidth) faults.add(`the page is ${scrollWidth - innerWidth} px too wide`)

  // Ids of ours, and where there is room addresses of networks.
  const isWhole = innerWidth < 640 ? /^[a-z]+_[0-9A-Z]{26}$/ : /^([a-z]+_[0-9A-Z]{26}|[0-9a-f:.]+(\/\d+)?)$/

  /** Scripts whose lines may end within a word: https://www.unicode.org/reports/tr14/ */
  const breaksAnywhere = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u

  /** What says by itself that there is more, or is not for the eye. */
  const isMeant = (element) =>
    element.closest('.sr, .skip, svg, option, [hidden], script, noscript, textarea') !== null ||
    !element.checkVisibility()
  const isShort = ({ textOverflow, webkitLineClamp }) => textOverflow === 'ellipsis' || webkitLineClamp !== 'none'

  const cutBy = (element, box) => {
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at)
      if (isShort(style)) return undefined
      const around = at.getBoundingClientRect()
      const isBeside = box.left < around.left - 1 || box.right > around.right + 1
      const isBelow = box.top < around.top - 1 || box.bottom > around.bottom + 1
      if (style.overflowX !== 'visible' && isBeside) return at.className || at.tagName
      if (['hidden', 'clip'].includes(style.overflowY) && isBelow) return at.className || at.tagName
    }
    return box.left < -1 || box.right > innerWidth + 1 ? 'the window' : undefined
  }

  for (const element of document.querySelectorAll('body *')) {
    if (isMeant(element)) continue
    const style = getComputedStyle(element)
    const isScrolled = style.overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1
    if (isScrolled && !isShort(style) && element.tagName !== 'INPUT') {
      faults.add(`${element.tagName} ${element.className} is ${element.scrollWidth - element.clientWidth} px too wide`)
    }
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE) continue
      const text = node.textContent ?? ''
      for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
        const long = /\S*$/.exec(text.slice(0, index))[0] + /^\S*/.exec(text.slice(index))[0]
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const boxes = Array.from(range.getClientRects())
        const lines = new Set(boxes.map(({ top }) => Math.round(top)))
        if (lines.size > 1 && !breaksAnywhere.test(word) && (long.length <= longest || isWhole.test(long)))
          faults.add(`"${word}" is broken in "${text.trim()}"`)
        const by = boxes.map((box) => cutBy(element, box)).find((one) => one !== undefined)
        if (by !== undefined) faults.add(`"${word}" is cut by ${by}`)
      }
    }
  }
  return [...faults]
}

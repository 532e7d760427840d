/* global SwaggerUIBundle */
const nothing = () => () => null

// Only for reading: a key belongs on a server and never into a page.
SwaggerUIBundle({
  url: 'openapi.3.1.json',
  dom_id: '#reference',
  deepLinking: true,
  showExtensions: true,
  supportedSubmitMethods: [],
  plugins: [{ wrapComponents: { authorizeBtn: nothing, authorizeOperationBtn: nothing } }],
  // Left to itself, it would ask another host whether the contract is valid.
  validatorUrl: null,
})

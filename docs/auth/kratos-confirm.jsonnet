// What Ory Kratos posts to /v1/verify/confirm of Watchword when a code was right. The guide is kratos.md, beside this file.
local trait = 'phone';

function(ctx) { phone: ctx.identity.traits[trait] }

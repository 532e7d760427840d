// What Ory Kratos posts to /v1/verify/send of Watchword for each code that it sends by SMS. The guide is kratos.md, beside this file.
local brand = 'Acme';

// Each flow of Kratos has its code under a name of its own.
local names = ['login_code', 'registration_code', 'verification_code', 'recovery_code'];

function(ctx)
  local data = ctx.template_data;
  local codes = [data[name] for name in names if std.objectHas(data, name) && data[name] != ''];
  {
    phone: ctx.recipient,
    // A message without a code is not posted. `cancel` is the word by which Kratos knows that this is meant.
    code: if std.length(codes) > 0 then codes[0] else error 'cancel',
    brand_name: brand,
  }

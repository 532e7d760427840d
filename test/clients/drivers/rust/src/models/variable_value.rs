pub type VariableValue = ::serde_json::Value;

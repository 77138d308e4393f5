"""The bench of recall: how well the memories that answer a question are found, through the product's own stores."""

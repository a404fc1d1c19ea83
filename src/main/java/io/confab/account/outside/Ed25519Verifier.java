package io.confab.account.outside;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.impl.BaseJWSProvider;
import com.nimbusds.jose.util.Base64URL;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.EdECPublicKey;
import java.util.Set;

/// Verifies by Ed25519 (RFC 8037) over the JDK: the library's own verifier needs Google Tink.
final class Ed25519Verifier extends BaseJWSProvider implements JWSVerifier {
  private final EdECPublicKey key;

  Ed25519Verifier(EdECPublicKey key) {
    super(Set.of(JWSAlgorithm.EdDSA));
    this.key = key;
  }

  @Override
  public boolean verify(JWSHeader header, byte[] input, Base64URL signature) throws JOSEException {
    try {
      Signature verifier = Signature.getInstance("Ed25519");
      verifier.initVerify(key);
      verifier.update(input);
      return verifier.verify(signature.decode());
    } catch (SignatureException _) {
      return false; // not even the form of one
    } catch (GeneralSecurityException e) {
      throw new JOSEException("not a key of Ed25519", e);
    }
  }
}
